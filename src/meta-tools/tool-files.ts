// The readable files about tools: stubs at both levels and the guide.
// Invariant: the files follow the bindings, and files of servers that did not change are not generated again.

import {
  type BindingLevel,
  type Bindings,
  type BoundServer,
  type BoundTool,
  defaultDescriptionLength,
  identifierFor,
  type Notation,
  type Pieces,
  type StubOptions,
  serverScriptStubPieces,
  serverStubPieces,
  toolScriptStubPieces,
  toolStubPieces,
} from '../bindings/index.js'
import type { Diagnostic } from '../diagnostics/index.js'
import type { Dialect, Language } from '../interpreter/index.js'
import type { GeneratedFile, Vfs } from '../vfs/index.js'
import { guideFor } from './guide.js'
import type { AsksAbout } from './ledger/held-calls.js'
import { serverUnavailable } from './messages.js'

/** The inputs of the meta-tools about files. */
export interface ToolFiles {
  readonly bindings: Bindings
  readonly vfs: Vfs
  /**
   * The level at which the listing shows a server, by its name in the configuration. Default: every server at server
   * level.
   */
  readonly levelOf?: (server: string) => BindingLevel
  /** The longest description in a stub line, in code points. */
  readonly descriptionLength?: number
  /**
   * The language whose notation listings and documentation use; stub files of the other exist, too. Default:
   * Starlark's.
   */
  readonly language?: Language
  /** The dialect that the guide describes. */
  readonly dialect?: Partial<Dialect>
  /** The longest answer, in characters. */
  readonly answerMaxChars?: number
  /** The guest names of servers that can't be reached now, each with the reason. */
  readonly unavailable?: () => Readonly<Record<string, string>>
  /** Decides which tools need approval; absent: none. */
  readonly asks?: AsksAbout
}

/** True if a call of this tool needs approval. */
export function asksAbout(tool: BoundTool, { asks }: ToolFiles): boolean {
  return asks?.(tool.server.source.name, tool.tool) === true
}

/** Why a name or a path has no content, if it means a server that can't be reached now. */
export function unreachable(asked: string, { unavailable }: ToolFiles): Diagnostic | undefined {
  const name = identifierFor(asked.replace(/^\/?(?:servers\/)?/, '').split(/[/.]/, 1)[0]!)
  const reasons = unavailable?.() ?? {}
  return Object.hasOwn(reasons, name) ? serverUnavailable(name, reasons[name]!) : undefined
}

interface Mounted {
  readonly server: BoundServer
  readonly version: number
  readonly length: number
}

const mounted = new WeakMap<Vfs, Map<string, Mounted>>()

/** Brings the files up to date with the bindings. Cheap if nothing changed. */
export function syncToolFiles(files: ToolFiles): void {
  const { bindings, vfs, descriptionLength = defaultDescriptionLength } = files
  let servers = mounted.get(vfs)
  if (servers === undefined) {
    servers = new Map()
    mounted.set(vfs, servers)
    vfs.mount('guide', [{ path: 'guide.md', make: () => guideFor(files.dialect ?? {}) }])
  }
  const { observations } = bindings
  for (const name of [...servers.keys()])
    if (!bindings.servers.some((server) => server.name === name)) {
      vfs.unmount(groupOf(name))
      servers.delete(name)
    }
  for (const server of bindings.servers) {
    const version = observations?.version(server.source.name) ?? 0
    const before = servers.get(server.name)
    if (before?.server === server && before.version === version && before.length === descriptionLength) continue
    if (before?.server === server && before.length === descriptionLength) vfs.refresh(groupOf(server.name))
    else
      vfs.mount(
        groupOf(server.name),
        stubFiles(server, { descriptionLength, observations, asks: (tool) => asksAbout(tool, files) }, files),
      )
    servers.set(server.name, { server, version, length: descriptionLength })
  }
}

const ENDINGS: Readonly<Record<Language, string>> = { starlark: '.pyi', javascript: '.d.ts' }

/** The notation in which tools are described to authors of the language. */
export function notationOf({ language = 'starlark' }: Pick<ToolFiles, 'language'>): Notation {
  return language === 'javascript' ? 'typescript' : 'python'
}

/** The extension of the stub files that the listing shows. */
export function stubEnding({ language = 'starlark' }: Pick<ToolFiles, 'language'>): string {
  return ENDINGS[language]
}

/** The path under which a tool's stub is shown. */
export function stubPath(tool: BoundTool, files: ToolFiles): string {
  const { server } = tool
  const ending = stubEnding(files)
  return levelOf(files, server) === 'server'
    ? `servers/${server.name}${ending}`
    : `servers/${server.name}/${tool.name}${ending}`
}

export function levelOf(files: ToolFiles, server: BoundServer): BindingLevel {
  return files.levelOf?.(server.source.name) ?? 'server'
}

function groupOf(server: string): string {
  return `stubs of ${server}`
}

/**
 * Both levels in both notations, whichever is shown; a path may be spelt with the server's and the tool's own names.
 */
function stubFiles(server: BoundServer, options: StubOptions, files: ToolFiles): GeneratedFile[] {
  return [
    ...stubsIn('.pyi', server, {
      whole: () => serverStubPieces(server, options),
      one: (tool) => toolStubPieces(tool, options),
    }),
    ...stubsIn('.d.ts', server, {
      whole: () => serverScriptStubPieces(server, options),
      one: (tool) => toolScriptStubPieces(tool, options),
    }),
  ].map((file) => (file.path.endsWith(stubEnding(files)) ? file : { ...file, aside: true }))
}

interface StubMakers {
  readonly whole: () => Pieces<string>
  readonly one: (tool: BoundTool) => Pieces<string>
}

function stubsIn(ending: string, server: BoundServer, { whole, one }: StubMakers): GeneratedFile[] {
  const names = [...new Set([server.name, server.source.name])]
  const all = {
    path: `servers/${server.name}${ending}`,
    aliases: names.map((name) => `servers/${name}${ending}`),
    make: whole,
  }
  const each = server.tools.map((tool) => ({
    path: `servers/${server.name}/${tool.name}${ending}`,
    aliases: names.flatMap((name) =>
      [...new Set([tool.name, tool.tool.name])].map((own) => `servers/${name}/${own}${ending}`),
    ),
    make: () => one(tool),
  }))
  return [all, ...each]
}
