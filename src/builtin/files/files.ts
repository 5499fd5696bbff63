// The server `files`: the files below one folder.
// Invariant: work that may take long is done in a host worker, and changes are made one after another.

import { closeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { FilesSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinTool, failureOf } from '../tool.js'
import type { Changed } from './change.js'
import { FileWork, THREADS } from './file-work.js'
import { History } from './history.js'
import { stat } from './look.js'
import { textOf } from './read.js'
import * as schemas from './schemas.js'
import { type Found, joined, type Part } from './search.js'
import { shown, Wall, type WallSettings, wallSettings } from './wall.js'
import type { TaskName } from './work.js'

/** Smaller files are read at once: a thread would take longer. */
const SMALL = 32 * 1024
/** Files that one thread searches before others help. */
const ALONE = 1_000

const READS = { readOnlyHint: true, openWorldHint: false } as const
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

type Context = Parameters<BuiltinTool['call']>[1]

/** Throws an Error that says, for people, why there is no such folder. */
export function openFiles(settings: FilesSettings): Builtin {
  const { root, write } = settings
  const server = new Files(wallSettings(settings))
  const may = write ? 'Paths are relative to it.' : 'Paths are relative to it, and nothing can be changed.'
  return {
    instructions: `The files in the folder ${JSON.stringify(path.basename(root))}. ${may}`,
    tools: { ...server.readers(), ...(write ? server.writers() : {}) },
    close: () => server.close(),
  }
}

class Files {
  readonly #wall: Wall
  readonly #work: FileWork
  readonly #history = new History()
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(settings: WallSettings) {
    this.#wall = new Wall(settings)
    this.#work = new FileWork(settings)
  }

  readers(): Record<string, BuiltinTool> {
    const list = z.array(schemas.entryShape)
    return {
      list: this.#reader('list', 'What is in a folder.', { inputSchema: schemas.folderArguments, outputSchema: list }),
      glob: this.#reader('glob', 'Paths of the files that match a pattern, in order.', {
        inputSchema: schemas.globArguments,
        outputSchema: z.array(z.string()),
      }),
      search: {
        ...this.#reader('search', 'Lines of files that match a regular expression. Binary files are left out.', {
          inputSchema: schemas.searchArguments,
          outputSchema: z.array(schemas.matchShape),
        }),
        call: (args, context) => this.#search(args as schemas.SearchArguments, context),
      },
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
    await this.#work.close()
  }

  #reader(task: TaskName, description: string, shapes: Pick<BuiltinTool, 'inputSchema' | 'outputSchema'>): BuiltinTool {
    const call = async (args: unknown, { signal }: Context) =>
      (await this.#work.run(task, args, signal)) as BuiltinAnswer
    return { description, ...shapes, annotations: READS, call }
  }

  #writer(task: TaskName, description: string, inputSchema: z.ZodType): BuiltinTool {
    const call = (args: unknown) => this.#inTurn(async () => this.#kept((await this.#work.run(task, args)) as Changed))
    return { description, inputSchema, outputSchema: schemas.changeShape, annotations: WRITES, call }
  }

  /** Beyond some files, threads share the rest. */
  async #search(args: schemas.SearchArguments, { signal }: Context): Promise<BuiltinAnswer> {
    const found = async (part: Part) => (await this.#work.run('search', { ...args, part }, signal)) as Found
    const parts = [await found({ index: 0, of: 1, mostFiles: ALONE })]
    const { last } = parts[0]!
    if (last !== undefined) {
      const threads = Array.from({ length: Math.min(THREADS, availableParallelism()) }, (_, index) => index)
      parts.push(...(await Promise.all(threads.map((index) => found({ after: last, index, of: threads.length })))))
    }
    return { kind: 'json', json: joined(parts, args) }
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
    return this.#work.run('read', args, signal) as Promise<BuiltinAnswer>
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
      const { path: below, bytes } = (await this.#work.run('undo', { changed })) as Changed
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
}
