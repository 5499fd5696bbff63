// What supervisors and balancers ask. `/healthz`: whether the process lives. `/readyz`: whether callers can be served;
// `/health` is its older name.
// Invariant: everybody may ask, so no answer has a secret or the name of a server, and a question causes no other.

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostNameIn } from './http-walls.js'

export interface Condition {
  /** The number of servers in each state. */
  readonly servers: Readonly<Record<string, number>>
  /** Whether the store of several processes can be used. Undefined: this process has its own. */
  readonly hasStore: boolean | undefined
  /** Whether another process with the same store has other servers or settings. */
  readonly isDifferent: boolean
}

interface Answer {
  readonly status: 200 | 503
  readonly body: object
}

const READY: ReadonlySet<string> = new Set(['/readyz', '/health'])

/**
 * True for a question to an address or to nobody, as supervisors and balancers ask. A page that leads a name to this machine sends the name, and
 * the script of a page elsewhere can't read the answer.
 */
export function isProbe({ host, origin }: IncomingHttpHeaders, pathname: string): boolean {
  if (origin !== undefined || (pathname !== '/healthz' && !READY.has(pathname))) return false
  return host === undefined || isIP((hostNameIn(host) ?? '').replace(/^\[|\]$/g, '')) > 0
}

export class Probes {
  readonly #version: string
  readonly #condition: () => Condition
  /** Servers that connect again later do not make the process unready. */
  #isStarting = true

  constructor(version: string, condition: () => Condition) {
    this.#version = version
    this.#condition = condition
  }

  /** Undefined: the path is another. */
  answer(
    pathname: string,
    { isClosing, sessions }: { readonly isClosing: boolean; readonly sessions: number },
  ): Answer | undefined {
    if (pathname === '/healthz') return { status: 200, body: { status: 'ok' } }
    if (!READY.has(pathname)) return undefined
    const { servers, hasStore, isDifferent } = this.#condition()
    const { connecting = 0 } = servers
    this.#isStarting &&= connecting > 0
    const obstacle = this.#obstacle(isClosing, hasStore)
    const store = hasStore === undefined ? {} : { redis: hasStore ? 'reachable' : 'unreachable' }
    const settings = isDifferent ? { settings: 'differ from those of another process' } : {}
    const body = { status: 'ok', ...obstacle, version: this.#version, servers, ...store, ...settings, sessions }
    return { status: obstacle === undefined ? 200 : 503, body }
  }

  #obstacle(isClosing: boolean, hasStore: boolean | undefined): { status: string; why: string } | undefined {
    if (isClosing) return { status: 'closing', why: 'this process is closing' }
    if (hasStore === false)
      return { status: 'without-store', why: "the store can't be used; what needs no state is still carried out" }
    return this.#isStarting ? { status: 'starting', why: 'servers are starting for the first time' } : undefined
  }
}
