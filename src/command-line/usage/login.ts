import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addLogin(starbind: Command): void {
  starbind
    .command('login <server>')
    .description('log in to a server that uses OAuth; the tokens are kept for the next start')
    .option('--no-browser', 'only print the address of the page')
    .addHelpText('after', examples('starbind login github', 'starbind login github --no-browser'))
    .action(async (server: string, _, command: Command) => {
      const { logIn } = await import('../commands/login.js')
      await finish(logIn(server, command.optsWithGlobals()))
    })
}

export function addLogout(starbind: Command): void {
  starbind
    .command('logout <server>')
    .description('remove the tokens of a server')
    .action(async (server: string, _, command: Command) => {
      const { logOut } = await import('../commands/login.js')
      await finish(logOut(server, command.optsWithGlobals()))
    })
}
