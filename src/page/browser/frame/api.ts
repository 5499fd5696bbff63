// Requests of the HTTP interface. Invariant: every change carries the session's token.

import { signal } from '@preact/signals'
import type { Failure, PageSession } from '../../interface.js'

/** Who is signed in; undefined until it is known, null: nobody. */
export const session = signal<PageSession | null | undefined>(undefined)

/** A request that was refused, or that had no answer. */
export class Refusal extends Error {
  /** The status of HTTP; 0: there was no answer. */
  readonly status: number
  readonly code: string
  readonly hint: string | undefined

  constructor(status: number, { code, message, hint }: Failure['error']) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
  }
}

export async function get<Answer>(path: string): Promise<Answer> {
  return read(await ask(path, {}))
}

/** Changes something. `body` is sent as JSON. */
export async function post<Answer = void>(path: string, body?: unknown): Promise<Answer> {
  return read(await ask(path, { method: 'POST', ...(body !== undefined && { body: JSON.stringify(body) }) }))
}

export async function remove(path: string): Promise<void> {
  await ask(path, { method: 'DELETE' })
}

/** Asks for something else than JSON. Rejects with a Refusal. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (session.value) headers.set('X-Starbind-Token', session.value.token)
  if (typeof init.body === 'string') headers.set('Content-Type', 'application/json')
  const address = path.startsWith('/') ? path : `/api/v1/${path}`
  const response = await fetch(address, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new Refusal(0, {
      code: 'no-answer',
      message: 'The server does not answer.',
      hint: 'Is starbind still running?',
    })
  })
  if (response.ok) return response
  if (response.status === 401 && path !== 'login') session.value = null
  throw new Refusal(response.status, await failureOf(response))
}

async function read<Answer>(response: Response): Promise<Answer> {
  return (response.status === 204 ? undefined : await response.json()) as Answer
}

async function failureOf(response: Response): Promise<Failure['error']> {
  const body = (await response.json().catch(() => undefined)) as Partial<Failure> | undefined
  return body?.error ?? { code: 'failed', message: `The server answered ${response.status} ${response.statusText}.` }
}

/** The last part of a path, from a name that others chose. */
export const part = (name: string | number): string => encodeURIComponent(name)
