// The HTTP interface for a person's page, and the page's own files: who asks, whether it may, and which operation
// answers. Knows routes and walls; the operations know the rest.
// Invariant: nothing but the page's files, the sign-in and the OpenAPI document is answered without a session, and no
// change made with a cookie is taken without its token.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import {
  type CodeMode,
  type HttpRoutes,
  type Language,
  type ModelConfig,
  type RoutedRequest,
  version,
} from '../index.js'
import type { Answers } from './asked.js'
import { chatAnswers } from './chat/chat-answers.js'
import { EventFeed } from './event-feed.js'
import type { PageSession } from './interface.js'
import {
  foreignPage,
  keyWithoutPage,
  nothingAt,
  notSignedIn,
  tokenMissing,
  tokenUsed,
  wrongInput,
  wrongMethod,
} from './messages.js'
import { matching, type Operation, operations } from './operations.js'
import { programAnswers } from './program-answers.js'
import { Refusal, refusalFor } from './refusal.js'
import { runAnswers } from './run-answers.js'
import { serverAnswers } from './server-answers.js'
import { hasToken, isForeign, SignIns } from './sign-ins.js'
import { StaticFiles } from './static-files.js'
import { textAnswers } from './text-answers.js'
import { holderOfKey, personHere, type Viewer } from './viewer.js'
import { WatchedRuns } from './watched-runs.js'

export interface PageOptions {
  /** The folder of the page's files. Default: that of this package. */
  readonly files?: string | undefined
  readonly models?: readonly ModelConfig[] | undefined
  /** Of programs that name none. */
  readonly language?: Language | undefined
  /** The folder of saved programs; undefined: none can be saved. */
  readonly programs?: string | undefined
  /** The file of the configuration, for its remarks. */
  readonly configurationFile?: string | undefined
}

const BASE = '/api/v1/'
const FILES = fileURLToPath(new URL('./', import.meta.url))
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export class Page implements HttpRoutes {
  readonly #codeMode: CodeMode
  readonly #options: PageOptions
  readonly #signIns = new SignIns()
  readonly #files: StaticFiles
  readonly #feed = new EventFeed()
  #answers: Answers | undefined

  constructor(codeMode: CodeMode, options: PageOptions = {}) {
    this.#codeMode = codeMode
    this.#options = options
    this.#files = new StaticFiles(options.files ?? FILES)
  }

  /** An address that opens the page once, on the port of `url`. Undefined: other machines reach it, so it takes a key. */
  newAddress(url: string): string | undefined {
    const address = new URL('/', url)
    if (!LOCAL.test(address.hostname)) return undefined
    address.searchParams.set('token', this.#signIns.newToken())
    return address.href
  }

  owns(pathname: string): boolean {
    return pathname.startsWith('/api/') || this.#files.has(pathname)
  }

  refusal(status: number, message: string): unknown {
    return new Refusal(status, message).body
  }

  admits(request: IncomingMessage, pathname: string): { readonly key?: string } | undefined {
    const isFile = this.#files.has(pathname)
    if (!isFile && hasKey(request)) return undefined
    const signIn = isFile ? undefined : this.#signIns.of(request)
    if (signIn?.key !== undefined) return { key: signIn.key }
    return signIn !== undefined || this.owns(pathname) ? {} : undefined
  }

  filesFor(request: IncomingMessage): ReturnType<NonNullable<HttpRoutes['filesFor']>> {
    const signIn = hasKey(request) ? undefined : this.#signIns.of(request)
    if (signIn === undefined) return undefined
    if (isForeign(request)) return foreignPage
    if (request.method === 'POST' && !hasToken(request, signIn)) return tokenMissing
    return signIn.key === undefined ? { files: this.#codeMode.files, who: signIn.token } : undefined
  }

  async answer(routed: RoutedRequest): Promise<void> {
    const { request, response, pathname } = routed
    try {
      if (pathname === '/' && request.url !== '/') return this.#openWith(request, response)
      if (!pathname.startsWith('/api/')) return this.#file(routed)
      if (isForeign(request)) throw new Refusal(403, foreignPage)
      await this.#operate(routed)
    } catch (error) {
      const refusal = refusalFor(error)
      if (refusal === undefined || response.headersSent) throw error
      sendJson(response, refusal.status, refusal.body)
    }
  }

  /** The address that a person was given: its token becomes a cookie. */
  #openWith(request: IncomingMessage, response: ServerResponse): void {
    const token = new URL(request.url ?? '/', 'http://here').searchParams.get('token')
    if (token !== null && this.#signIns.use(token))
      response.setHeader('Set-Cookie', this.#signIns.begin(request, undefined).cookie)
    response.writeHead(303, { Location: '/', 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    response.end()
  }

  #file({ request, response, pathname }: RoutedRequest): void {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Refusal(405, wrongMethod(request.method, pathname))
    this.#files.answer(request, response, pathname)
  }

  async #operate(routed: RoutedRequest): Promise<void> {
    const { request, response, pathname } = routed
    const found = pathname.startsWith(BASE) ? matching(pathname.slice(BASE.length)) : []
    if (found.length === 0) throw new Refusal(404, nothingAt(pathname))
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const meant = found.find(({ name }) => operations[name].method === method)
    if (meant === undefined) {
      response.setHeader('Allow', found.map(({ name }) => operations[name].method).join(', '))
      throw new Refusal(405, wrongMethod(request.method, pathname))
    }
    const { name, parameters } = meant
    const operation: Operation = operations[name]
    if (name === 'login') return this.#logIn(routed)
    const viewer = operation.isOpen ? undefined : this.#viewer(routed)
    if (viewer?.signIn !== undefined && operation.method !== 'GET' && !hasToken(request, viewer.signIn))
      throw new Refusal(403, tokenMissing)
    const url = new URL(request.url ?? '/', 'http://here')
    const query = operation.query && parsed(operation.query, Object.fromEntries(url.searchParams))
    const body = operation.body && parsed(operation.body, await routed.body())
    const asked = { viewer: viewer!, parameters, query, body, routed }
    const answer = await this.#answersNow()[name](asked)
    if (response.headersSent) return
    if (typeof operation.answer === 'string' && operation.answer !== 'application/json')
      return send(response, operation.status, operation.answer, String(answer))
    if (operation.status === 204) return void response.writeHead(204, NO_STORE).end()
    sendJson(response, operation.status, answer)
  }

  /** Who asks. Throws a Refusal if nobody is signed in. */
  #viewer(routed: RoutedRequest): Viewer {
    const signIn = this.#signIns.of(routed.request)
    if (hasKey(routed.request)) {
      // A server on this machine may have no keys, and then knows none.
      if (routed.caller.page !== true) throw new Refusal(403, keyWithoutPage)
      return holderOfKey(this.#codeMode, routed.caller, undefined)
    }
    if (signIn === undefined) throw new Refusal(401, notSignedIn)
    if (signIn.key === undefined) return personHere(this.#codeMode, signIn)
    if (routed.caller.page !== true) throw new Refusal(401, notSignedIn)
    return holderOfKey(this.#codeMode, routed.caller, signIn)
  }

  async #logIn(routed: RoutedRequest): Promise<void> {
    const { request, response } = routed
    const { token } = parsed(operations.login.body, await routed.body())
    const isToken = this.#signIns.use(token)
    const holder = isToken ? undefined : await routed.callerWith(token)
    if (!isToken && holder === undefined) throw new Refusal(403, tokenUsed)
    if (holder !== undefined && holder.page !== true) throw new Refusal(403, keyWithoutPage)
    const { signIn, cookie } = this.#signIns.begin(request, isToken ? undefined : token)
    response.setHeader('Set-Cookie', cookie)
    const viewer =
      holder === undefined ? personHere(this.#codeMode, signIn) : holderOfKey(this.#codeMode, holder, signIn)
    sendJson(response, 200, this.#sessionOf(viewer))
  }

  #sessionOf({ name, seesAll, mayManage, signIn }: Viewer): PageSession {
    const { models = [] } = this.#options
    return {
      version,
      name,
      token: signIn?.token ?? '',
      may: {
        approve: seesAll,
        manage: mayManage,
        save: mayManage && this.#options.programs !== undefined,
        chat: models.length > 0,
      },
      language: this.#options.language ?? 'starlark',
      models: models.map(({ name, faults }) => ({ name, problem: faults[0]?.message ?? null })),
    }
  }

  /** Made at the first question, because runs are kept and watched from then on. */
  #answersNow(): Answers {
    if (this.#answers !== undefined) return this.#answers
    const answers: Answers = {
      session: async ({ viewer }) => this.#sessionOf(viewer),
      logout: async ({ routed }) => void routed.response.setHeader('Set-Cookie', this.#signIns.end(routed.request)),
      openApi: async () => (await import('./open-api.js')).openApi(version),
      ...serverAnswers(this.#codeMode, this.#feed, this.#options.configurationFile),
      ...textAnswers(this.#options.language ?? 'starlark'),
      ...programAnswers(this.#options.programs),
      ...chatAnswers(this.#options.models ?? []),
      ...runAnswers(new WatchedRuns(this.#codeMode, this.#feed), this.#feed),
    }
    this.#answers = answers
    return answers
  }
}

function hasKey({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

/** What a request says in the form that an operation takes. Throws a Refusal that names the place of the mistake. */
function parsed<Output>(schema: z.ZodType<Output>, raw: unknown): Output {
  const read = schema.safeParse(raw)
  if (read.success) return read.data
  const [first] = read.error.issues
  throw new Refusal(400, wrongInput((first?.path ?? []).join('.'), first?.message ?? ''))
}

const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body))
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const text = type.startsWith('text/') ? `${type}; charset=utf-8` : type
  // What is opened by its address is no page: it loads and runs nothing.
  response.writeHead(status, { ...NO_STORE, 'Content-Type': text, 'Content-Security-Policy': SEALED })
  response.end(body)
}

/** The drawing has its styles inside. */
const SEALED = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
