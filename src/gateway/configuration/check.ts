// From data that anybody may have written to a configuration. Invariant: what leaves this file is complete and checked, and every complaint
// names the file, the line, the key and what was expected.

import path from 'node:path'
import type { z } from 'zod'
import { type Diagnostic, DiagnosticError } from '../../diagnostics/index.js'
import { type Limits, resolveLimits } from '../../sandbox/index.js'
import { serverNameUnusable } from '../messages.js'
import { explain } from './complaints.js'
import {
  type CodeModeEntry,
  type Configuration,
  emptyConfiguration,
  type ServerConfig,
  type ServerEntry,
  type StubSettings,
} from './configuration.js'
import { defined } from './defined.js'
import { serverConfig } from './server-entry.js'
import { serveSettings } from './serving.js'
import { configurationEntry, type stubsEntry } from './shape.js'
import type { CheckOptions } from './surroundings.js'

/** Checks a configuration that is already data. Throws a DiagnosticError with everything that is wrong in it. */
export function checkConfiguration(raw: unknown, options: CheckOptions): Configuration {
  const parsed = configurationEntry.safeParse(raw, { reportInput: true })
  if (!parsed.success) throw new DiagnosticError(parsed.error.issues.flatMap((issue) => explain(issue, options)))
  const { mcpServers = {} } = parsed.data
  const { limits, answer, stubs, results, roots, ...settings }: CodeModeEntry = parsed.data.codeMode ?? {}
  const faults: Diagnostic[] = []
  const servers = Object.entries(mcpServers).map(([name, entry]) => {
    const folder = options.folderOf?.(name) ?? options.folder
    return serverConfig(name, entry, { ...options, folder, roots }, faults)
  })
  faults.push(...limitFaults(limits ?? {}, options))
  if (faults.length > 0) throw new DiagnosticError(faults)
  return {
    ...emptyConfiguration,
    servers,
    ...defined({
      ...settings,
      limits: limits === undefined ? undefined : defined(limits),
      answerMaxChars: answer?.maxChars,
      answerStructured: answer?.structured,
      stubs: stubs === undefined ? undefined : stubSettings(stubs, options.folder),
      results: results === undefined ? undefined : defined(results),
      serve: parsed.data.serve === undefined ? undefined : serveSettings(parsed.data.serve, options.folder),
    }),
  }
}

/** Checks the entry of one server. Throws a DiagnosticError with everything that is wrong in it. */
export function checkServer(name: string, entry: ServerEntry, options: CheckOptions): ServerConfig {
  const [server] = checkConfiguration({ mcpServers: { [name]: entry } }, options).servers
  if (server === undefined) throw new DiagnosticError(serverNameUnusable(name))
  return server
}

/** Amounts that the sandbox does not accept, each with its place. */
function limitFaults(
  limits: { readonly [K in keyof Limits]?: number | undefined },
  options: CheckOptions,
): Diagnostic[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    try {
      resolveLimits({ [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      const place = options.placeOf(['codeMode', 'limits', name])
      return error.diagnostics.map((fault) => ({ ...fault, message: `${place} ${fault.message}` }))
    }
  })
}

function stubSettings(entry: z.infer<typeof stubsEntry>, folder: string): StubSettings {
  const { observationsFile, ...rest } = entry
  return defined({
    ...rest,
    observationsFile: observationsFile === undefined ? undefined : path.resolve(folder, observationsFile),
  })
}
