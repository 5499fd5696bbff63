// What can be written at a place of a program: servers, tools, parameters inside a call, keys of results, names.

import type { ServerBinding } from '../index.js'
import type { Completion } from './interface.js'

type Option = Completion['options'][number]

const WORDS = {
  starlark:
    'print( len( sorted( sum( min( max( range( enumerate( zip( json.loads( json.dumps( result for in if else ' +
    'def return True False None',
  javascript:
    'console.log( await const let function return for of if else JSON.parse( JSON.stringify( true false null result',
}
const MOST = 200

interface CompletionOptions {
  /** Where names are looked for. Default: in the text before the cursor. */
  readonly names?: string
  readonly language?: keyof typeof WORDS
}

/** `before`: the text up to the cursor. */
export function completionsAt(
  before: string,
  servers: readonly ServerBinding[],
  { names = before, language = 'starlark' }: CompletionOptions = {},
): Completion {
  const key = /([A-Za-z_]\w*)(?:\[["']|\.)(\w*)$/.exec(before)
  if (key) {
    const [, name = '', start = ''] = key
    const server = servers.find((one) => one.name === name)
    const tools = (server?.tools ?? []).map(
      (tool): Option => ({
        label: `${tool.name}(`,
        kind: 'tool',
        detail: `(${tool.parameters.join(', ')})`,
      }),
    )
    return starting(before, start, server === undefined ? keysOf(name, names, servers) : tools)
  }
  const start = /\w*$/.exec(before)![0]
  const parameters = parametersAt(before, servers)
  if (start === '') return starting(before, '', parameters)
  const known = [
    ...servers.map(
      ({ name, server }): Option => ({ label: `${name}.`, kind: 'server', detail: server === name ? null : server }),
    ),
    ...assigned(names).map((label): Option => ({ label, kind: 'name', detail: null })),
    ...WORDS[language].split(' ').map((label): Option => ({ label, kind: 'word', detail: null })),
  ]
  return starting(before, start, [...parameters, ...known])
}

/** The unused parameters of the tool's call that the text ends in. */
function parametersAt(before: string, servers: readonly ServerBinding[]): Option[] {
  const call = /([A-Za-z_]\w*)\.(\w+)\(([^()]*)$/.exec(before)
  if (!call || !/(^|,)\s*\w*$/.test(call[3]!)) return []
  const tool = toolOf(call[1]!, call[2]!, servers)
  const given = new Set([...call[3]!.matchAll(/(\w+)\s*=/g)].map((match) => match[1]))
  const open = tool?.parameters.filter((name) => !given.has(name)) ?? []
  return open.map((name) => ({ label: `${name}=`, kind: 'parameter', detail: null }))
}

/** The keys of what a tool answers, for a name that was given its answer. */
function keysOf(name: string, text: string, servers: readonly ServerBinding[]): Option[] {
  const given = new RegExp(`\\b${name}\\s*=\\s*(?:await\\s+)?([A-Za-z_]\\w*)\\.(\\w+)\\(`, 'g')
  const last = [...text.matchAll(given)].at(-1)
  const tool = last && toolOf(last[1]!, last[2]!, servers)
  return (tool?.keys ?? []).map((label) => ({ label, kind: 'key', detail: null }))
}

function toolOf(server: string, tool: string, servers: readonly ServerBinding[]) {
  return servers.find(({ name }) => name === server)?.tools.find(({ name }) => name === tool)
}

/** Names that a program assigns or defines. */
function assigned(program: string): string[] {
  const names = [...program.matchAll(/^\s*(?:def\s+|function\s+|const |let |var )?([A-Za-z_]\w*)(?=\s*=[^=]|\()/gm)]
  return [...new Set(names.map((match) => match[1]!))]
}

function starting(before: string, start: string, all: readonly Option[]): Completion {
  const known = new Set<string>()
  const options = all.filter(({ label }) => label.startsWith(start) && !known.has(label) && known.add(label))
  return { from: before.length - start.length, options: options.slice(0, MOST) }
}
