// Waits for servers on behalf of one caller: only for those that a text or a program names. Knows the cached tools of
// servers that have not started.
// Invariant: no caller waits for a server that it did not name.

import type { Bindings } from '../bindings/index.js'
import { type Dialect, type Program, type Reach, wholeText } from '../interpreter/index.js'
import { type Answer, checkProgram, type RunContext } from '../meta-tools/index.js'
import { defaultLimits, limitCeilings } from '../sandbox/index.js'
import type { OwnParts, SharedParts } from './session-parts.js'
import { namedIn } from './unreachable-servers.js'

interface Patience {
  readonly signal?: AbortSignal | undefined
  readonly withinMs?: number | undefined
}

/** The maximum time that a listing waits. */
export const LISTING_MS = 2000

/** Files that belong to no server. */
const OWN_FILES = /\bguide\b|\bresults\/|\bruns\//

export class Readiness {
  readonly #upstreams: SharedParts['upstreams']
  readonly #filter: OwnParts['filter']
  readonly #context: RunContext
  readonly #store: SharedParts['store']

  constructor({ upstreams, store }: SharedParts, { filter }: OwnParts, context: RunContext) {
    this.#upstreams = upstreams
    this.#store = store
    this.#filter = filter
    this.#context = context
  }

  /**
   * Waits until the tools of the servers that a text names are known, and for no others: at most for as long as a
   * program may run. Resolves with their names.
   */
  async reach(text: string, patience: Patience = {}): Promise<string[]> {
    const names = this.#upstreams.names().filter((name) => this.#filter.reaches(name))
    const named = namedIn(text, names)
    const { signal, withinMs } = this.#within(patience)
    await this.#upstreams.reached(named, { signal, withinMs, looks: true })
    return named
  }

  /** The same; a text without a server's name may mean any server, so all are asked. */
  async look(text: string, patience: Patience): Promise<void> {
    if ((await this.reach(text, patience)).length === 0 && !OWN_FILES.test(text)) await this.#upstreams.revive()
  }

  /** An answer about servers that a text names. */
  async answerFor(text: string, signal: AbortSignal | undefined, answer: () => Promise<Answer>): Promise<Answer> {
    await this.look(text, { signal })
    const first = await answer()
    return first.isError && (await this.askAgain(text, signal)) ? answer() : first
  }

  /**
   * An unknown name may be new: asks the servers that a text names and whose tools are only cached, and waits briefly.
   * Resolves with whether there are any.
   */
  async askAgain(text: string, signal: AbortSignal | undefined): Promise<boolean> {
    const remembered = this.#upstreams.remembered().filter((name) => this.#filter.reaches(name))
    const named = namedIn(text, remembered)
    await this.#upstreams.reached(named, { signal, withinMs: LISTING_MS })
    return named.length > 0
  }

  /**
   * Waits for the servers that a program can call. If tools are cached, a first check of the program finds these
   * servers; a refused program may know tools that are newer than the cache.
   */
  async ready(program: Program, patience: Patience, dialect: Partial<Dialect> = {}): Promise<void> {
    const began = performance.now()
    // The program may list the servers and call what it finds.
    const mayListAll = /\bruntime\b/.test(wholeText(program))
    if (!mayListAll && this.#upstreams.areSettled) return
    const named = await this.reach(wholeText(program), patience)
    if (mayListAll) await this.#upstreams.revive()
    const remembered = this.#upstreams.remembered().filter((name) => named.includes(name))
    if (remembered.length === 0) return
    this.#upstreams.expect(remembered)
    const checked = await checkProgram(program, this.#context, { dialect })
    const called = (name: string) => !checked.ok || reaches(checked.reach, guestName(name, this.#context.bindings))
    const { signal, withinMs } = this.#within(patience)
    const left = Math.max(0, withinMs - (performance.now() - began))
    // When the servers have been started, this thread waits for them.
    setImmediate(() => this.#store.expect?.())
    await this.#upstreams.reached(remembered.filter(called), { signal, withinMs: left })
  }

  #within({ signal, withinMs }: Patience): { readonly signal: AbortSignal | undefined; readonly withinMs: number } {
    const most = withinMs ?? this.#context.limits.wallMs ?? defaultLimits.wallMs
    return { signal, withinMs: Math.min(most, limitCeilings.wallMs) }
  }
}

/** A server's guest name. */
function guestName(server: string, { servers }: Bindings): string | undefined {
  return servers.find(({ source }) => source.name === server)?.name
}

function reaches({ tools, widened }: Reach, namespace: string | undefined): boolean {
  if (widened === 'all') return true
  return tools.some((tool) => tool.namespace === namespace) || widened.some((name) => name === namespace)
}
