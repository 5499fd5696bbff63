// Completion at the prompt: servers, tools, parameters inside a call, and dot commands.

import type { ServerBinding } from '../../index.js'

/** The commands of the prompt. */
export const dotCommands = ['.help', '.ls', '.cat', '.docs', '.program', '.save', '.reset', '.exit'] as const

const WORDS = (
  'print( len( sorted( sum( min( max( range( enumerate( zip( json.loads( json.dumps( result for in if else ' +
  'def return True False None'
).split(' ')

/** The candidates, and the part of the line that they replace. */
export function complete(line: string, servers: readonly ServerBinding[], program = ''): [string[], string] {
  if (/^\.\w*$/.test(line)) return starting(dotCommands, line)
  const word = /[\w./-]*$/.exec(line)![0]
  if (line.startsWith('.docs ')) return starting(docsWords(line, servers), word)
  if (line.startsWith('.cat ')) return starting([...servers.map(({ name }) => `servers/${name}.pyi`), 'guide.md'], word)
  const attribute = /([A-Za-z_]\w*)\.(\w*)$/.exec(line)
  if (attribute) {
    const server = servers.find(({ name }) => name === attribute[1])
    return starting(server?.tools.map(({ name }) => `${name}(`) ?? [], attribute[2]!)
  }
  const name = /\w*$/.exec(line)![0]
  const parameters = parametersAt(line, servers)
  if (parameters !== undefined && name === '') return [parameters, '']
  const known = [...servers.map((server) => `${server.name}.`), ...assigned(program), ...WORDS]
  return name === '' ? [[], ''] : starting([...(parameters ?? []), ...known], name)
}

/** `.docs SERVER TOOL…` */
function docsWords(line: string, servers: readonly ServerBinding[]): readonly string[] {
  const [, server, rest] = /^\.docs\s+(\S+)(\s.*)?$/.exec(line) ?? []
  if (rest === undefined) return servers.map(({ name }) => name)
  return servers.find(({ name }) => name === server)?.tools.map(({ name }) => name) ?? []
}

/** The unused parameters of the tool's call that the line ends in. */
function parametersAt(line: string, servers: readonly ServerBinding[]): string[] | undefined {
  const call = /([A-Za-z_]\w*)\.(\w+)\(([^()]*)$/.exec(line)
  if (!call || !/(^|,)\s*\w*$/.test(call[3]!)) return undefined
  const tool = servers.find(({ name }) => name === call[1])?.tools.find(({ name }) => name === call[2])
  const given = new Set([...call[3]!.matchAll(/(\w+)\s*=/g)].map((match) => match[1]))
  return tool?.parameters.filter((name) => !given.has(name)).map((name) => `${name}=`)
}

/** Names that earlier entries assigned. */
function assigned(program: string): string[] {
  const names = [...program.matchAll(/^(?:def\s+|const |let |var )?([A-Za-z_]\w*)(?=\s*=[^=]|\()/gm)]
  return [...new Set(names.map((match) => match[1]!))]
}

function starting(all: readonly string[], beginning: string): [string[], string] {
  return [[...new Set(all.filter((one) => one.startsWith(beginning)))], beginning]
}
