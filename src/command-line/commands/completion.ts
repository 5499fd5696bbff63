// `starbind completion SHELL`: the script that makes the Tab key of a shell complete commands, options, servers and
// files. The servers are read from the configuration; nothing is started for a key press.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { RootCommand } from '@bomb.sh/tab'
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { examples } from '../command.js'
import { bashCompletion } from '../completion-bash.js'
import { configurationFor } from '../given.js'

/** Has to be the last: it completes the commands that are there. */
export function addCompletion(starbind: Command): void {
  const shells = tab(starbind, { completionCommandName: 'completion' })
  starbind.commands
    .find((command) => command.name() === 'completion')
    ?.description('print the completions for a shell: bash, zsh, fish or powershell')
    .action((shell: string) => {
      if (shell === 'bash') process.stdout.write(bashCompletion)
      else shells.setup(starbind.name(), starbind.name(), shell)
    })
    .addHelpText(
      'after',
      examples(
        'source <(starbind completion bash)     # in ~/.bashrc',
        'source <(starbind completion zsh)      # in ~/.zshrc',
        'starbind completion fish | source',
      ),
    )
  fillIn(shells)
}

/** What only looking can tell. */
function fillIn(shells: RootCommand): void {
  const offer = (all: () => string[]) => (complete: (value: string, description: string) => void) => {
    for (const one of all()) complete(one, '')
  }
  for (const [name, command] of shells.commands) {
    for (const argument of command.arguments.values()) {
      if (['file', 'catalogue'].includes(argument.name)) argument.handler = offer(files)
      if (argument.name === 'server') argument.handler = offer(servers)
      if (name === 'cat') argument.handler = offer(() => [...servers().map((one) => `servers/${one}.pyi`), 'guide.md'])
    }
    const server = command.options.get('server')
    if (server !== undefined && name !== 'stubs') server.handler = offer(servers)
  }
  for (const command of [shells, ...shells.commands.values()])
    for (const option of ['config', 'catalogues']) {
      const found = command.options.get(option)
      if (found !== undefined) found.handler = offer(files)
    }
}

/** What the word that is being typed may mean: the entries of its folder. */
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

function servers(): string[] {
  try {
    return configurationFor({}, () => {}).servers.map((server) => server.name)
  } catch {
    return []
  }
}
