// The server `files`: the files below one folder.
// Invariant: work that may take long is done in a host worker, and changes are made one after another.

import { closeSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type HostWorkers, openHostWorkers } from '../../sandbox/index.js'
import type { FilesSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinTool, Failure, failureOf } from '../tool.js'
import type { Changed } from './change.js'
import { History } from './history.js'
import { stat } from './look.js'
import { textOf } from './read.js'
import * as schemas from './schemas.js'
import { shown, Wall, type WallSettings } from './wall.js'
import type { TaskName, WorkOutput } from './work.js'

/** Smaller files are read at once: a thread would take longer. */
const SMALL = 32 * 1024
const WITHIN_MS = 60_000
const WORK_MS = 30_000

const READS = { readOnlyHint: true, openWorldHint: false } as const
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

type Context = Parameters<BuiltinTool['call']>[1]

/** Throws an Error that says, for people, why there is no such folder. */
export function openFiles({ root, write, exclude, unwritable }: FilesSettings): Builtin {
  const server = new Files({ root: realFolder(root), exclude, unwritable: unwritable.map(realIfThere) })
  const may = write ? 'Paths are relative to it.' : 'Paths are relative to it, and nothing can be changed.'
  return {
    instructions: `The files in the folder ${JSON.stringify(path.basename(root))}. ${may}`,
    tools: { ...server.readers(), ...(write ? server.writers() : {}) },
    close: () => server.close(),
  }
}

function realFolder(root: string): string {
  try {
    const real = realpathSync.native(root)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new Error(`there is no folder ${root}`)
  }
  throw new Error(`${root} is a file, want a folder`)
}

function realIfThere(place: string): string {
  try {
    return realpathSync.native(place)
  } catch {
    return place
  }
}

class Files {
  readonly #settings: WallSettings
  readonly #wall: Wall
  readonly #workers: HostWorkers
  readonly #history = new History()
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(settings: WallSettings) {
    this.#settings = settings
    this.#wall = new Wall(settings)
    this.#workers = openHostWorkers({ module: new URL('./work.js', import.meta.url).href, maxThreads: 2 })
  }

  readers(): Record<string, BuiltinTool> {
    const list = z.array(schemas.entryShape)
    return {
      list: this.#reader('list', 'What is in a folder.', { inputSchema: schemas.folderArguments, outputSchema: list }),
      glob: this.#reader('glob', 'Paths of the files that match a pattern, in order.', {
        inputSchema: schemas.globArguments,
        outputSchema: z.array(z.string()),
      }),
      search: this.#reader('search', 'Lines of files that match a regular expression. Binary files are left out.', {
        inputSchema: schemas.searchArguments,
        outputSchema: z.array(schemas.matchShape),
      }),
      read: {
        ...this.#reader('read', 'The text of a file, or some of its lines.', {
          inputSchema: schemas.readArguments,
          outputSchema: z.string(),
        }),
        call: (args, context) => this.#read(args as schemas.ReadArguments, context),
      },
      data: this.#reader(
        'data',
        'A CSV, TSV, JSON, JSON Lines, YAML or TOML file as data. Cells of tables are texts.',
        {
          inputSchema: schemas.dataArguments,
          outputSchema: z.unknown(),
        },
      ),
      artifact: this.#reader('artifact', 'A picture or any other file as an artifact: its path, type and size.', {
        inputSchema: schemas.pathArguments,
      }),
      stat: {
        ...this.#reader('stat', 'Kind, size and time of change of a file or folder.', {
          inputSchema: schemas.pathArguments,
          outputSchema: schemas.factsShape,
        }),
        call: (args) => this.#stat(args as schemas.PathArguments),
      },
    }
  }

  writers(): Record<string, BuiltinTool> {
    return {
      write: this.#writer('write', 'Writes a file, and makes the folders that it needs.', schemas.writeArguments),
      edit: this.#writer('edit', 'Replaces a text in a file, or applies a diff to it.', schemas.editArguments),
      move: { ...this.#writer('move', 'Moves or renames a file or folder.', schemas.moveArguments), annotations: ADDS },
      remove: this.#writer('remove', 'Removes a file or an empty folder.', schemas.pathArguments),
      undo: {
        description: 'Takes back a change of this server, unless the file was changed again.',
        inputSchema: schemas.undoArguments,
        outputSchema: schemas.changeShape,
        annotations: WRITES,
        call: (args) => this.#undo(args as { readonly change?: string }),
      },
    }
  }

  async close(): Promise<void> {
    await this.#lastChange
    await this.#workers.close()
  }

  #reader(task: TaskName, description: string, shapes: Pick<BuiltinTool, 'inputSchema' | 'outputSchema'>): BuiltinTool {
    const call = async (args: unknown, { signal }: Context) =>
      (await this.#work({ task, args, signal })) as BuiltinAnswer
    return { description, ...shapes, annotations: READS, call }
  }

  #writer(task: TaskName, description: string, inputSchema: z.ZodType): BuiltinTool {
    const call = (args: unknown) => this.#inTurn(async () => this.#kept((await this.#work({ task, args })) as Changed))
    return { description, inputSchema, outputSchema: schemas.changeShape, annotations: WRITES, call }
  }

  #read(args: schemas.ReadArguments, { signal }: Context): BuiltinAnswer | Promise<BuiltinAnswer> {
    const file = this.#wall.openFile(args.path)
    try {
      if (file.stats.size <= SMALL) return { kind: 'text', text: textOf(file, args) }
    } catch (error) {
      throw failureOf(error, shown(args.path))
    } finally {
      closeSync(file.fd)
    }
    return this.#work({ task: 'read', args, signal }) as Promise<BuiltinAnswer>
  }

  #stat(args: schemas.PathArguments): BuiltinAnswer {
    try {
      return { kind: 'json', json: JSON.stringify(stat(this.#wall, args)) }
    } catch (error) {
      throw failureOf(error, shown(args.path))
    }
  }

  #undo({ change }: { readonly change?: string }): Promise<BuiltinAnswer> {
    return this.#inTurn(async () => {
      const { name, changed } = this.#history.find(change)
      const { path: below, bytes } = (await this.#work({ task: 'undo', args: { changed } })) as Changed
      this.#history.forget(name)
      return { kind: 'json', json: JSON.stringify({ change: name, action: 'undone', path: below, bytes }) }
    })
  }

  #kept(changed: Changed): BuiltinAnswer {
    const { path: below, bytes } = changed
    const action = changed.action === 'removed-folder' ? 'removed' : changed.action
    return { kind: 'json', json: JSON.stringify({ change: this.#history.add(changed), action, path: below, bytes }) }
  }

  /** A change is not ended half-way, whoever stops waiting for it. */
  #inTurn(change: () => Promise<BuiltinAnswer>): Promise<BuiltinAnswer> {
    const done = this.#lastChange.then(change)
    this.#lastChange = done.catch(() => {})
    return done
  }

  async #work({ task, args, signal }: { task: TaskName; args: unknown; signal?: AbortSignal }): Promise<unknown> {
    const input = { wall: this.#settings, task, args }
    const cancelling = signal === undefined ? {} : { signal }
    const end = await this.#workers.run({ input, withinMs: WITHIN_MS, workMs: WORK_MS, ...cancelling })
    if (end.kind === 'done') {
      const output = end.value as WorkOutput
      if (output.kind === 'done') return output.value
      throw new Failure(output.words)
    }
    if (end.kind === 'fault') throw new Failure(`it went wrong: ${end.message}`)
    throw new Failure(ENDS[end.kind])
  }
}

const ENDS = {
  late: 'it took too long: ask for less, such as a smaller folder or a narrower pattern',
  memory: 'it needed too much memory: ask for less',
  cancelled: 'it was cancelled',
  busy: 'too many calls are waiting',
  lost: 'it was cut off',
} as const
