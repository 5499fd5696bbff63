// Files of callers over HTTP: `GET` and `HEAD /artifacts/NAME`, and uploads, `POST /artifacts?name=NAME`. The caller is
// already authenticated and reaches only its own files.
// Invariant: no name is a path, no file runs as a page of this origin, and a refused or aborted upload leaves nothing
// behind.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { create as disposition, parse as parseDisposition } from 'content-disposition'
import parseRange from 'range-parser'
import { isTextType } from '../../bindings/index.js'
import type { FileFacts } from '../../state/index.js'
import type { ServedFiles } from './served-files.js'
import { BodyRefused, piecesOf } from './unread.js'

/** The maximum number of uploads in progress, of one caller and of all. */
const MOST_PER_CALLER = 4
const MOST = 16

/** True for paths that are answered here. */
export function isArtifactPath(pathname: string): boolean {
  return pathname === '/artifacts' || pathname.startsWith('/artifacts/')
}

export class HttpArtifacts {
  readonly #bodyIdleMs: number
  /** The callers of the uploads in progress. */
  readonly #uploading: string[] = []

  /** `bodyIdleMs`: the longest wait for the next piece of an upload. */
  constructor(bodyIdleMs: number) {
    this.#bodyIdleMs = bodyIdleMs
  }

  /** Answers a request. Rejects with BodyRefused, which has the status and the words of a refusal. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { files, who }: { readonly files: ServedFiles; readonly who: string },
  ): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://here')
    const isUpload = url.pathname === '/artifacts'
    const methods = isUpload ? ['POST'] : ['GET', 'HEAD']
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '))
      throw new BodyRefused(405, `there is no ${request.method} here`)
    }
    if (!isUpload) return download(request, response, { url, files })
    const own = this.#uploading.filter((one) => one === who).length
    if (own >= MOST_PER_CALLER || this.#uploading.length >= MOST)
      throw new BodyRefused(503, 'too many files are being uploaded; try again')
    this.#uploading.push(who)
    try {
      await upload(request, response, { url, files, bodyIdleMs: this.#bodyIdleMs })
    } finally {
      this.#uploading.splice(this.#uploading.indexOf(who), 1)
    }
  }
}

interface Asked {
  readonly url: URL
  readonly files: ServedFiles
}

async function download(request: IncomingMessage, response: ServerResponse, { url, files }: Asked): Promise<void> {
  await files.fresh()
  const file = files.list().find(({ name }) => url.pathname === pathOf(name))
  if (file === undefined) throw new BodyRefused(404, 'there is no such artifact')
  const tag = `"${file.sha256}"`
  for (const [name, value] of Object.entries(headersOf(file))) response.setHeader(name, value)
  response.setHeader('ETag', tag)
  if (isKnown(request.headers['if-none-match'], tag)) return void response.writeHead(304).end()
  const range = rangeOf(request, file, tag)
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${file.bytes}`)
    response.removeHeader('Content-Disposition')
    throw new BodyRefused(416, `the artifact has ${file.bytes} bytes`)
  }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
  response.writeHead(range === undefined ? 200 : 206, {
    'Content-Length': end - start + 1,
    ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${file.bytes}` }),
  })
  if (request.method === 'HEAD') return void response.end()
  await pipeline(files.stream(file.name, { start, end }), response)
}

/** Types that browsers display without running code. */
const SHOWN = /^(?:image|audio|video|text)\/|^application\/(?:pdf|json)$/

function headersOf({ name, mimeType, keptAt }: FileFacts): Record<string, string> {
  return {
    'Content-Type': isTextType(mimeType) ? `${mimeType}; charset=utf-8` : mimeType,
    'Content-Disposition': disposition(name, { type: SHOWN.test(mimeType) ? 'inline' : 'attachment' }),
    'Last-Modified': new Date(keptAt).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    // A page or an SVG from a tool gets no scripts, no origin and no requests.
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, ''))) === true
}

/** Undefined: the whole file, which is also a valid answer to several ranges. */
function rangeOf({ headers }: IncomingMessage, { bytes }: FileFacts, tag: string) {
  const { range, 'if-range': condition } = headers
  // An equal date does not prove equal content.
  if (range === undefined || (condition !== undefined && condition !== tag)) return undefined
  const ranges = parseRange(bytes, range, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  return ranges !== -2 && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
}

async function upload(
  request: IncomingMessage,
  response: ServerResponse,
  { url, files, bodyIdleMs }: Asked & { readonly bodyIdleMs: number },
): Promise<void> {
  const { 'content-type': type = '', 'content-length': length = '0' } = request.headers
  if (/^multipart\//i.test(type)) throw new BodyRefused(415, 'the body is the file itself, and no form')
  const name = url.searchParams.get('name') ?? namedIn(request.headers['content-disposition'])
  if (name === null || name.trim() === '')
    throw new BodyRefused(400, 'the file has no name: POST /artifacts?name=orders.csv')
  if (!files.mayBeNamed(name)) throw new BodyRefused(400, 'files of that name are the results of runs')
  const tooLong = new BodyRefused(413, `the file is longer than ${files.maxBytes} bytes`)
  if (Number(length) > files.maxBytes) throw tooLong
  const file = await files.receive(name, piecesOf(request, { maxBytes: files.maxBytes, tooLong, bodyIdleMs }), type)
  const { keptAt: _, ...record } = file
  response.setHeader('Location', pathOf(file.name))
  response.writeHead(201, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(JSON.stringify(record))
}

/** Kept names need no escaping. */
function pathOf(name: string): string {
  return `/artifacts/${name}`
}

function namedIn(header: string | undefined): string | null {
  return header === undefined ? null : (parseDisposition(header).parameters.filename ?? null)
}
