// `starbind completion SHELL`: prints the completion script for commands, options, servers and files.

import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { examples } from '../command.js'
import { bashCompletion } from '../completion-bash.js'

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
  starbind.commands
    .find((command) => command.name() === 'complete')
    ?.hook('preAction', async (_, { args }) => {
      // The first word is the name of a command, or an option.
      if (args.length < 2) return
      const { fillIn } = await import('../commands/completion.js')
      fillIn(shells)
    })
}
