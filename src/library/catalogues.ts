// Saved tools/list answers, read with the meta-tools that need no connection.
// Invariant: nothing is started, and only the named files are read.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type BindingLevel,
  bindServers,
  type Catalogue,
  type QuarantinedTool,
  readCatalogue,
  sortOut,
} from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import { allowedTools, CatalogueStore, type Configuration, withResourceTools } from '../gateway/index.js'
import {
  type Answer,
  findTools,
  getToolDocs,
  listToolFiles,
  readToolFile,
  type ToolFiles,
  type ToolResult,
} from '../meta-tools/index.js'
import { openVfs } from '../vfs/index.js'
import { version } from './version.js'

/**
 * The options for showing saved tools.
 *
 * @example
 * import { Catalogues, type CataloguesOptions } from 'starbind'
 *
 * const options: CataloguesOptions = { bindingLevel: 'tool' }
 * console.log(Catalogues.openFolder('saved', options).stubFiles())
 */
export interface CataloguesOptions {
  /** One stub file for each server (default) or one for each tool. */
  readonly bindingLevel?: BindingLevel
}

/**
 * The tools of some servers, from files.
 *
 * @example
 * import { Catalogues } from 'starbind'
 *
 * const catalogues = Catalogues.open({ github: 'saved/github.json' }, { bindingLevel: 'tool' })
 * console.log(catalogues.listToolFiles({ query: 'create issue' }).text)
 * for (const { server, tool, signature } of catalogues.search('pull requests')) console.log(server, tool, signature)
 */
export class Catalogues {
  /** Tools that can't be used, by server. */
  readonly quarantined: ReadonlyMap<string, readonly QuarantinedTool[]>
  readonly #files: ToolFiles

  private constructor(files: ToolFiles, quarantined: ReadonlyMap<string, readonly QuarantinedTool[]>) {
    this.#files = files
    this.quarantined = quarantined
  }

  /** Reads one file for each server. Throws a DiagnosticError that names the file that can't be read. */
  static open(files: Readonly<Record<string, string>>, options: CataloguesOptions = {}): Catalogues {
    const level = options.bindingLevel ?? 'server'
    return Catalogues.#of(
      Object.entries(files).map(([server, file]) => readCatalogue(textOf(file), server, file)),
      () => level,
    )
  }

  /**
   * The tool lists of a configuration's servers that earlier processes stored in a folder (`catalogueFolder` of
   * `CodeMode.open`). Servers without a stored list are omitted.
   */
  static remembered(configuration: Pick<Configuration, 'servers' | 'bindingLevel'>, folder: string): Catalogues {
    const store = new CatalogueStore(folder, version)
    const read = configuration.servers.flatMap((config) => {
      const stored = config.disabled ? undefined : store.read(config)
      if (stored === undefined) return []
      const { tools, quarantined } = sortOut(stored.tools)
      const allowed = allowedTools(withResourceTools(tools, stored.readable), config)
      return [{ server: { name: config.name, tools: allowed }, quarantined }]
    })
    const levels = new Map(configuration.servers.map(({ name, bindingLevel }) => [name, bindingLevel]))
    return Catalogues.#of(read, (server) => levels.get(server) ?? configuration.bindingLevel)
  }

  static #of(read: readonly Catalogue[], levelOf: (server: string) => BindingLevel): Catalogues {
    const bindings = bindServers(read.map((one) => one.server))
    const toolFiles = { bindings, vfs: openVfs(), levelOf, answerMaxChars: Number.POSITIVE_INFINITY }
    return new Catalogues(toolFiles, new Map(read.map((one) => [one.server.name, one.quarantined])))
  }

  /** Reads every `*.json` of a folder; the file name is the server's name. */
  static openFolder(folder: string, options: CataloguesOptions = {}): Catalogues {
    const names = namesIn(folder).filter((name) => name.endsWith('.json'))
    if (names.length === 0) throw unreadable(folder, 'there is no file *.json in it')
    return Catalogues.open(
      Object.fromEntries(names.map((name) => [name.slice(0, -5), path.join(folder, name)])),
      options,
    )
  }

  /**
   * The tree of stub files, or the tools that match the words of `query`, or one server's. An unknown server gives an
   * answer with `isError`.
   */
  listToolFiles(args: { readonly query?: string; readonly server?: string } = {}): Answer {
    return listToolFiles(args, this.#files)
  }

  /** The text of stub files and of `guide.md`. An unknown path gives an answer with `isError` and the nearest paths. */
  readToolFile(args: { readonly fileName?: string; readonly fileNames?: readonly string[] }): Answer {
    return readToolFile(args, this.#files)
  }

  /** The full documentation of tools of one server. An unknown name gives an answer with `isError`. */
  getToolDocs(args: { readonly server: string; readonly tools: readonly string[] }): Answer {
    return getToolDocs(args, this.#files)
  }

  /** The best ten tools for a query, or all tools; with `server`, only its tools. Empty if there is no such server. */
  search(query?: string, server?: string): ToolResult[] {
    if (server === undefined) return findTools(this.#files, query)
    const { found } = this.#files.bindings.findServer(server)
    return found === undefined ? [] : findTools(this.#files, query, found)
  }

  /** The paths of all stub files at the chosen level. */
  stubFiles(): string[] {
    return [...new Set(this.search().map((tool) => tool.path))]
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, reasonOf(error))
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    throw unreadable(folder, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return 'there is nothing of that name'
  if (code === 'EISDIR') return 'it is a folder'
  return code === 'ENOTDIR' ? 'it is not a folder' : `it can't be read (${code})`
}

function unreadable(file: string, reason: string): DiagnosticError {
  return new DiagnosticError({ class: 'host error', code: 'wrong-catalogue', message: `${file}: ${reason}` })
}
