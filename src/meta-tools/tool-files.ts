// What a model can read about tools: stubs at both levels and the guide, in the file system. Knows which file is which tool's.
// Invariant: the files follow the bindings. What belongs to servers that did not change is not made again.

import {
  type BindingLevel,
  type Bindings,
  type BoundServer,
  defaultDescriptionLength,
  type StubOptions,
  serverStub,
  toolStub,
} from '../bindings/index.js'
import type { GeneratedFile, Vfs } from '../vfs/index.js'
import { guide } from './guide.js'

/** What the meta-tools about files look at. */
export interface ToolFiles {
  readonly bindings: Bindings
  readonly vfs: Vfs
  /** How the listing shows a server, by its name in the configuration. Default: every server at server level. */
  readonly levelOf?: (server: string) => BindingLevel
  /** The longest description in a stub line, in code points. */
  readonly descriptionLength?: number
  /** The longest answer, in characters. */
  readonly answerMaxChars?: number
}

interface Mounted {
  readonly server: BoundServer
  readonly version: number
  readonly length: number
}

const mounted = new WeakMap<Vfs, Map<string, Mounted>>()

/** Brings the file system up to date with the bindings. Cheap when nothing changed. */
export function syncToolFiles({ bindings, vfs, descriptionLength = defaultDescriptionLength }: ToolFiles): void {
  let servers = mounted.get(vfs)
  if (servers === undefined) {
    servers = new Map()
    mounted.set(vfs, servers)
    vfs.mount('guide', [{ path: 'guide.md', make: () => guide }])
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
    else vfs.mount(groupOf(server.name), stubFiles(server, { descriptionLength, observations }))
    servers.set(server.name, { server, version, length: descriptionLength })
  }
}

export function serverPath(server: BoundServer): string {
  return `servers/${server.name}.pyi`
}

/** The path under which a tool's stub is shown at a level. */
export function stubPath(server: BoundServer, tool: string, level: BindingLevel): string {
  return level === 'server' ? serverPath(server) : `servers/${server.name}/${tool}.pyi`
}

export function levelOf(files: ToolFiles, server: BoundServer): BindingLevel {
  return files.levelOf?.(server.source.name) ?? 'server'
}

function groupOf(server: string): string {
  return `stubs of ${server}`
}

/** Both levels, whichever is shown; a path may be spelt with the server's and the tool's own names. */
function stubFiles(server: BoundServer, options: StubOptions): GeneratedFile[] {
  const names = [...new Set([server.name, server.source.name])]
  const whole = {
    path: serverPath(server),
    aliases: names.map((name) => `servers/${name}.pyi`),
    make: () => serverStub(server, options),
  }
  const each = server.tools.map((tool) => ({
    path: stubPath(server, tool.name, 'tool'),
    aliases: names.flatMap((name) =>
      [...new Set([tool.name, tool.tool.name])].map((own) => `servers/${name}/${own}.pyi`),
    ),
    make: () => toolStub(tool, options),
  }))
  return [whole, ...each]
}
