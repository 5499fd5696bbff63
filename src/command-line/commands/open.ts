// `starbind open`: the page, on this machine alone, in the browser.

import openPage from 'open'
import { type CommonOptions, configurationFor, logFor } from '../given.js'
import { overHttp } from './serve.js'

interface OpenOptions extends CommonOptions {
  readonly browser: boolean
  readonly port?: number
  readonly model: readonly string[]
}

export async function open({ port = 0, ...options }: OpenOptions): Promise<number> {
  const log = logFor(options, 'warn')
  return overHttp({ ...options, host: '127.0.0.1', port }, configurationFor(options, log), log, (address) => {
    process.stdout.write(`${address}\n`)
    process.stderr.write('this address opens the page once; Ctrl-C ends it\n')
    // Without a browser, the address can be copied.
    if (options.browser && address !== undefined)
      openPage(address).then(
        (page) => page.on('error', () => {}),
        () => {},
      )
  })
}
