import { type Bindings, bindServers, type Observations } from '../bindings/index.js'
import type { Upstreams } from '../gateway/index.js'

/** The current bindings of tools. Unchanged servers keep their derived data. */
export class LiveBindings {
  readonly #upstreams: Upstreams
  readonly #observations: Observations
  #servers: ReturnType<Upstreams['servers']>
  #bindings: Bindings

  constructor(upstreams: Upstreams, observations: Observations) {
    this.#upstreams = upstreams
    this.#observations = observations
    this.#servers = upstreams.servers()
    this.#bindings = bindServers(this.#servers, { observations })
  }

  /** The same object until the tools of a server change. A run that keeps it continues with its tools. */
  now(): Bindings {
    const servers = this.#upstreams.servers()
    if (servers !== this.#servers) {
      this.#servers = servers
      this.#bindings = bindServers(servers, { previous: this.#bindings, observations: this.#observations })
    }
    return this.#bindings
  }
}
