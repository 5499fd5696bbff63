// One GET with its redirects.
//
// A name is looked up for each connection, every address that it has is checked, and the connection goes to one of
// them: nobody can answer differently in between. A redirect is a new URL, which is checked like the first.
// Invariant: nothing is sent to a host that the list does not name, or to an address that may not be reached.

import { lookup as lookUp } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Failure, quoted } from '../tool.js'
import type { Hosts } from './hosts.js'

const MOST_REDIRECTS = 5
const LONGEST_URL = 8_192
const HEADERS_BYTES = 32 * 1024

export interface Wanted {
  readonly hosts: Hosts
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Types in the order of preference. */
  readonly accept: string
}

export interface Page {
  /** The last URL. */
  readonly url: URL
  /** Without parameters, in lower case; empty if the server names none. */
  readonly type: string
  readonly charset: string | undefined
  readonly bytes: Buffer
}

/** Rejects with a Failure. */
export async function get(raw: string, wanted: Wanted): Promise<Page> {
  let url = readUrl(raw)
  for (let redirects = 0; ; redirects++) {
    requireHost(url, wanted.hosts)
    const answer = await answered(url, wanted)
    const { statusCode: status = 0, headers } = answer
    if (status < 300 || status >= 400 || headers.location === undefined) return pageOf(url, answer, wanted)
    answer.destroy()
    if (redirects === MOST_REDIRECTS)
      throw new Failure(`${shown(raw)} leads through more than ${MOST_REDIRECTS} redirects`)
    if (!URL.canParse(headers.location, url.href))
      throw new Failure(`${shown(url)} leads to ${quoted(headers.location)}, which is no URL`)
    url = readUrl(new URL(headers.location, url).href)
  }
}

function readUrl(raw: string): URL {
  if (raw.length > LONGEST_URL) throw new Failure('the URL is too long')
  if (!URL.canParse(raw)) throw new Failure(`${quoted(raw)} is no URL, such as "https://example.com/page"`)
  const url = new URL(raw)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Failure(`${quoted(raw)} is neither http nor https`)
  if (url.username !== '' || url.password !== '') throw new Failure('a URL with a name or a password is not asked for')
  url.hash = ''
  return url
}

function requireHost(url: URL, hosts: Hosts): void {
  if (!hosts.permits(url))
    throw new Failure(`${quoted(url.host)} may not be reached: the configuration lists ${hosts.words}`)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !hosts.permitsAddress(address)) throw forbidden(url.host, address)
}

function forbidden(host: string, address: string): Failure {
  return new Failure(
    `${quoted(host)} leads to ${address}, an address that is not public: a person may list it in hosts`,
  )
}

/** Resolves when the headers are there. */
function answered(url: URL, { hosts, signal, accept }: Wanted): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent: false,
      signal,
      lookup: lookupIn(hosts),
      maxHeaderSize: HEADERS_BYTES,
      headers: { accept, 'accept-encoding': 'gzip, br', 'user-agent': 'starbind' },
    })
    const fail = (error: Error) => reject(failureOf(error, url, signal))
    asked.once('error', fail)
    asked.once('socket', (socket: Socket) =>
      socket.once('connect', () => {
        const { remoteAddress: address = '' } = socket
        if (isIP(address) === 0 || !hosts.permitsAddress(address)) asked.destroy(forbidden(url.host, address))
      }),
    )
    asked.once('response', resolve)
    asked.end()
  })
}

/** The system's look-up, without what may not be reached. */
function lookupIn(hosts: Hosts): LookupFunction {
  return (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      const wrong = found.find(({ address }) => !hosts.permitsAddress(address))
      if (wrong !== undefined) return done(forbidden(host, wrong.address), [])
      if (options.all === true) return done(null, found)
      return done(null, found[0]!.address, found[0]!.family)
    })
  }
}

async function pageOf(url: URL, answer: http.IncomingMessage, { maxBytes, signal }: Wanted): Promise<Page> {
  const { statusCode = 0, statusMessage = '', headers } = answer
  const bytes = await bytesOf(url, answer, { maxBytes, signal })
  if (statusCode !== 200) {
    const words = bytes
      .toString('utf8', 0, 2_000)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const said = words === '' ? '' : `; it said ${quoted(words)}`
    throw new Failure(`${shown(url)} answered ${statusCode} ${statusMessage}`.trimEnd() + said)
  }
  const [, type = '', rest = ''] = /^\s*([^;\s]*)(.*)$/s.exec(headers['content-type'] ?? '') ?? []
  const charset = /;\s*charset="?([^\s";]+)/i.exec(rest)?.[1]
  return { url, type: type.toLowerCase(), charset, bytes }
}

async function bytesOf(
  url: URL,
  answer: http.IncomingMessage,
  { maxBytes, signal }: Pick<Wanted, 'maxBytes' | 'signal'>,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const body = unpacked(answer)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Failure(`${shown(url)} has more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw failureOf(error as Error, url, signal)
  } finally {
    body.destroy()
    answer.destroy()
  }
  return Buffer.concat(chunks, bytes)
}

function unpacked(answer: http.IncomingMessage): Readable {
  const unpack = UNPACKERS[answer.headers['content-encoding']?.trim().toLowerCase() ?? '']
  if (unpack === undefined) return answer
  const body = unpack()
  answer.on('error', (error) => body.destroy(error))
  answer.on('aborted', () => body.destroy(new Error('it ended in the middle')))
  return answer.pipe(body)
}

const UNPACKERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress as () => ReturnType<typeof createGunzip>,
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  HPE_HEADER_OVERFLOW: 'its headers are too long',
}

function failureOf(error: Error, url: URL, signal: AbortSignal): Failure {
  if (error instanceof Failure) return error
  const { reason } = signal as { readonly reason?: unknown }
  if (signal.aborted) return reason instanceof Failure ? reason : new Failure('it was cancelled')
  const { code = '' } = error as NodeJS.ErrnoException
  return new Failure(`${shown(url)} can't be read: ${REASONS[code] ?? error.message}`)
}

/** A URL as messages show it: queries may hold secrets. */
function shown(url: URL | string): string {
  const { origin, pathname } = new URL(url)
  return quoted(`${origin}${pathname}`)
}
