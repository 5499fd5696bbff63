// Dynamic completions. Servers come from the configuration and tools from their cached lists; no key press starts a
// server.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { RootCommand } from '@bomb.sh/tab'
import { Catalogues, type Configuration } from '../../index.js'
import { catalogueFolder, configurationFor } from '../given.js'

/** Completes files, servers, tools, stubs and models. */
export function fillIn(shells: RootCommand): void {
  const offer = (all: () => readonly string[]) => (complete: (value: string, description: string) => void) => {
    for (const one of all()) complete(one, '')
  }
  for (const [name, command] of shells.commands) {
    for (const argument of command.arguments.values()) {
      if (['file', 'catalogue'].includes(argument.name)) argument.handler = offer(files)
      if (argument.name === 'server') argument.handler = offer(servers)
      if (argument.name === 'tools') argument.handler = offer(toolsOfServer)
      if (name === 'cat') argument.handler = offer(stubs)
    }
    const server = command.options.get('server')
    if (server !== undefined && name !== 'stubs') server.handler = offer(servers)
    const model = command.options.get('model')
    if (model !== undefined) model.handler = offer(models)
  }
  for (const command of [shells, ...shells.commands.values()])
    for (const option of ['config', 'catalogues']) {
      const found = command.options.get(option)
      if (found !== undefined) found.handler = offer(files)
    }
}

/** The candidates for the current word: the entries of its folder. */
function files(): string[] {
  const word = process.argv.at(-1) ?? ''
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  try {
    return readdirSync(path.resolve(folder || '.'), { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') || word.startsWith(`${folder}.`))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  } catch {
    return []
  }
}

function servers(): readonly string[] {
  return known(({ servers }) => servers.map(({ name }) => name))
}

function models(): readonly string[] {
  return known(({ models = [] }) => models.map(({ name }) => name))
}

/** The tools of the server before them. */
function toolsOfServer(): string[] {
  const server = process.argv[process.argv.indexOf('docs') + 1]
  return known((configuration) => remembered(configuration).search(undefined, server)).map(({ tool }) => tool)
}

function stubs(): string[] {
  const single = known((configuration) => remembered(configuration).stubFiles())
  return [...new Set([...servers().map((one) => `servers/${one}.pyi`), ...single]), 'guide.md']
}

function remembered(configuration: Configuration): Catalogues {
  return Catalogues.remembered(configuration, catalogueFolder())
}

/** The names in a configuration; none if it is wrong. */
function known<T>(tell: (configuration: Configuration) => readonly T[]): readonly T[] {
  try {
    return tell(configurationFor({}, () => {}))
  } catch {
    return []
  }
}
