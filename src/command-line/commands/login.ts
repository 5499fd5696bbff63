// `starbind login` and `starbind logout`: grant starbind access to a server, and revoke it.

import openPage from 'open'
import { login, logout } from '../../index.js'
import { wrongUsage } from '../failure.js'
import { type CommonOptions, configurationFor, quietLog } from '../given.js'
import { agrees, isPersonThere } from '../question.js'
import { stopping } from '../stopping.js'

interface LoginOptions extends CommonOptions {
  readonly browser: boolean
}

export async function logIn(name: string, options: LoginOptions): Promise<number> {
  const { server, configuration } = serverOf(name, options)
  await login(server, {
    configuration,
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

export async function logOut(name: string, options: CommonOptions): Promise<number> {
  const { server, configuration } = serverOf(name, options)
  const wasKnown = await logout(server, { configuration })
  process.stdout.write(wasKnown ? `logged out of ${name}\n` : `there was no login for ${name}\n`)
  return 0
}

function serverOf(name: string, options: CommonOptions) {
  const configuration = configurationFor(options, quietLog(options))
  const { servers } = configuration
  const server = servers.find((one) => one.name === name)
  if (server !== undefined) return { server, configuration }
  const known = servers.map((one) => one.name).join(', ')
  throw wrongUsage(`there is no server ${name} in the configuration${known === '' ? '' : `; the servers are ${known}`}`)
}
