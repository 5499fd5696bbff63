// Completion at the prompt: servers, tools, parameters inside a call, and dot commands.

import type { ServerBinding } from '../../index.js'
import { completionsAt } from '../../page/index.js'

/** The commands of the prompt. */
const dotCommands = ['.help', '.ls', '.cat', '.docs', '.program', '.save', '.reset', '.exit'] as const

/** The candidates, and the part of the line that they replace. */
export function complete(line: string, servers: readonly ServerBinding[], program = ''): [string[], string] {
  if (/^\.\w*$/.test(line)) return starting(dotCommands, line)
  const word = /[\w./-]*$/.exec(line)![0]
  if (line.startsWith('.docs ')) return starting(docsWords(line, servers), word)
  if (line.startsWith('.cat ')) return starting([...servers.map(({ name }) => `servers/${name}.pyi`), 'guide.md'], word)
  const { from, options } = completionsAt(line, servers, { names: program })
  return [options.map(({ label }) => label), line.slice(from)]
}

/** `.docs SERVER TOOL…` */
function docsWords(line: string, servers: readonly ServerBinding[]): readonly string[] {
  const [, server, rest] = /^\.docs\s+(\S+)(\s.*)?$/.exec(line) ?? []
  if (rest === undefined) return servers.map(({ name }) => name)
  return servers.find(({ name }) => name === server)?.tools.map(({ name }) => name) ?? []
}

function starting(all: readonly string[], beginning: string): [string[], string] {
  return [[...new Set(all.filter((one) => one.startsWith(beginning)))], beginning]
}
