// The module `runtime` (also `mcp.runtime`): the meta-tools' information about servers and tools as plain data, and
// calls of tools by name. The host answers every question, limited to what the caller may see.

import { builtin, type Native } from '../calls/signature.js'
import { attributeNames, attributeOrAbsent } from '../classes/attributes.js'
import { callByName, servers } from '../foreign/by-name.js'
import { foreignHelp } from '../foreign/namespaces.js'
import { askHost } from '../foreign/questions.js'
import { printText } from '../host/output.js'
import { typeName, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

/** The functions, each with its parameters. */
const QUESTIONS: Readonly<Record<string, string>> = {
  discovered_servers: '',
  list_servers: '',
  list_loaded_server_metadata: '',
  describe_server: 'server',
  list_tools: 'server',
  query_tool_docs: 'server, tool=, detail=',
  search_tool_docs: 'query, limit=, detail=',
  capability_summary: '',
}

function question(name: string, parameters: string): Record<string, Value> {
  const names = parameters === '' ? [] : parameters.split(', ').map((parameter) => parameter.replace('=', ''))
  const ask: Native = (...args) => askHost('runtime', name, names, args)
  return { [name]: builtin(name, parameters, ask), [`${name}_sync`]: builtin(`${name}_sync`, parameters, ask) }
}

const members: Record<string, Value> = { call: callByName, servers }
for (const name of Object.keys(QUESTIONS)) Object.assign(members, question(name, QUESTIONS[name]!))

export const runtime: Module = module('runtime', members)
export const mcp: Module = module('mcp', { runtime })

/** `help(x)`: prints the documentation of a server, a tool or another value, or the attributes of a value. */
export const help: Value = builtin('help', 'x=, /', (x) => {
  printText(x === undefined ? 'help(server) and help(server.tool) show what they do.' : helpText(x), '\n')
  return null
})

function helpText(x: Value): string {
  const foreign = foreignHelp(x)
  if (foreign !== undefined) return foreign
  const doc = attributeOrAbsent(x, '__doc__')
  if (typeof doc === 'string') return doc
  const names = attributeNames(x).filter((name) => !name.startsWith('_'))
  return names.length === 0 ? typeName(x) : `${typeName(x)}: ${names.join(', ')}`
}
