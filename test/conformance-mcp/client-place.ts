// Where the clients run that the suite starts: in the test's own process, one after the other, each with a home folder
// of its own.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { beClient } from './client.mjs'

export interface ClientPlace {
  /** For the suite: what it starts as a client. */
  readonly options: readonly string[]
  /** Why clients failed, by scenario. */
  readonly failures: ReadonlyMap<string, string>
  close(): void
}

interface Asked {
  readonly url: string
  readonly scenario: string
  readonly context: object
}

/** `isWanted`: the scenarios that clients carry out. */
export async function openClientPlace(isWanted: (asked: Asked) => boolean = () => true): Promise<ClientPlace> {
  let turn: Promise<unknown> = Promise.resolve()
  const failures = new Map<string, string>()
  const here = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as Asked
    turn = turn
      .then(() => (isWanted(asked) ? beClient(asked) : undefined))
      .catch((error: Error) => {
        failures.set(asked.scenario, `${error.stack}`)
        response.writeHead(500)
      })
      .finally(() => response.end())
  })
  await new Promise<void>((resolve) => here.listen(0, '127.0.0.1', resolve))
  const relay = path.join(import.meta.dirname, 'relay.mjs')
  const command = `${process.execPath} ${relay} http://127.0.0.1:${(here.address() as AddressInfo).port}/`
  return { options: ['--command', command, '--timeout', '200000'], failures, close: () => void here.close() }
}
