// `starbind login` and `starbind logout`: grant starbind access to a server, and revoke it.

import type { Command } from 'commander'
import openPage from 'open'
import { login, logout, type ServerConfig } from '../../index.js'
import { examples, finish } from '../command.js'
import { wrongUsage } from '../failure.js'
import { type CommonOptions, configurationFor, quietLog } from '../given.js'
import { agrees, isPersonThere } from '../question.js'
import { stopping } from '../stopping.js'

interface LoginOptions extends CommonOptions {
  readonly browser: boolean
}

export function addLogin(starbind: Command): void {
  starbind
    .command('login <server>')
    .description('log in to a server that uses OAuth; the tokens are kept for the next start')
    .option('--no-browser', 'only print the address of the page')
    .addHelpText('after', examples('starbind login github', 'starbind login github --no-browser'))
    .action((server: string, _, command: Command) => finish(logIn(server, command.optsWithGlobals())))
}

export function addLogout(starbind: Command): void {
  starbind
    .command('logout <server>')
    .description('remove the tokens of a server')
    .action((server: string, _, command: Command) => finish(logOut(server, command.optsWithGlobals())))
}

async function logIn(name: string, options: LoginOptions): Promise<number> {
  await login(serverOf(name, options), {
    open: (url) => {
      process.stderr.write(`Log in on this page:\n${url}\n`)
      // Without a browser, the address can be copied.
      if (options.browser)
        openPage(url.href).then(
          (page) => page.on('error', () => {}),
          () => {},
        )
    },
    confirm,
    signal: stopping,
  })
  process.stdout.write(`logged in to ${name}\n`)
  return 0
}

/** Without a person at a terminal the answer is no. */
async function confirm(issuer: URL): Promise<boolean> {
  if (!isPersonThere()) return false
  return agrees(`Send the credentials of the configuration to the authorization server ${issuer.href}?`, 'no')
}

async function logOut(name: string, options: CommonOptions): Promise<number> {
  const wasKnown = logout(serverOf(name, options))
  process.stdout.write(wasKnown ? `logged out of ${name}\n` : `there was no login for ${name}\n`)
  return 0
}

function serverOf(name: string, options: CommonOptions): ServerConfig {
  const { servers } = configurationFor(options, quietLog(options))
  const server = servers.find((one) => one.name === name)
  if (server !== undefined) return server
  const known = servers.map((one) => one.name).join(', ')
  throw wrongUsage(`there is no server ${name} in the configuration${known === '' ? '' : `; the servers are ${known}`}`)
}
