// Contents of files in a bucket of an S3-compatible store: one signed request for each.
// Invariant: a content is signed by its digest, so the store refuses any other one.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Bucket, FileFacts } from '../../owned-files.js'
import type { StagedFile } from '../../staged-file.js'
import { type ContentRange, type Contents, ownFolder } from './contents.js'

/** A request that fails for a passing reason is repeated after these times. */
const PAUSES_MS = [100, 400, 1_600]
const ANSWER_MS = 60_000
/** The digest of an empty body. */
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Asking {
  readonly method: 'PUT' | 'GET' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Made anew for each attempt. */
  readonly body?: () => Uint8Array | ReadableStream
  readonly withinMs?: number
}

export class BucketContents implements Contents {
  readonly arrivals = ownFolder()
  readonly maxBytes = Number.POSITIVE_INFINITY
  readonly #bucket: Bucket
  /** The address of the bucket and the prefix in it. */
  readonly #base: string

  constructor(bucket: Bucket) {
    const { url, region, endpoint = `https://s3.${region}.amazonaws.com` } = bucket
    const { host, pathname } = new URL(url)
    this.#bucket = bucket
    this.#base = `${endpoint.replace(/\/+$/, '')}/${host}${pathname.replace(/\/+$/, '')}`
  }

  async store(place: string, content: Uint8Array | StagedFile, { bytes, sha256 }: FileFacts): Promise<void> {
    const body = () =>
      'place' in content ? (Readable.toWeb(createReadStream(content.place)) as ReadableStream) : content
    const headers = { 'x-amz-content-sha256': sha256, 'content-length': String(bytes) }
    const response = await this.#ask(place, { method: 'PUT', headers, body })
    await response.body?.cancel()
  }

  async read(place: string): Promise<Uint8Array | undefined> {
    const response = await this.#ask(place, { method: 'GET', withinMs: ANSWER_MS })
    if (response.status !== 404) return new Uint8Array(await response.arrayBuffer())
    await response.body?.cancel()
    return undefined
  }

  stream(place: string, range: ContentRange): Readable {
    return Readable.from(this.#pieces(place, range), { objectMode: false })
  }

  async remove(place: string): Promise<void> {
    const response = await this.#ask(place, { method: 'DELETE', withinMs: ANSWER_MS })
    await response.body?.cancel()
  }

  async *#pieces(place: string, { start, end }: ContentRange): AsyncGenerator<Uint8Array> {
    const response = await this.#ask(place, { method: 'GET', headers: { range: `bytes=${start}-${end}` } })
    if (response.status !== 206) throw new Error(`the bucket answers ${response.status} to a part of a file`)
    yield* response.body as AsyncIterable<Uint8Array>
  }

  /** Resolves with an answer of success, or that there is no such content. */
  async #ask(place: string, asking: Asking, pauses = PAUSES_MS): Promise<Response> {
    const answer = await this.#once(place, asking).catch((error: unknown) => unreachable(this.#base, error as Error))
    const isPassing = answer instanceof Error || answer.status >= 500 || answer.status === 429
    const [waitMs, ...later] = pauses
    if (isPassing && waitMs !== undefined) {
      if (answer instanceof Response) await answer.body?.cancel()
      await pause(waitMs)
      return this.#ask(place, asking, later)
    }
    if (answer instanceof Error) throw answer
    if (!answer.ok && answer.status !== 404) throw await refusal(answer)
    return answer
  }

  async #once(place: string, { method, headers = {}, body, withinMs }: Asking): Promise<Response> {
    const { region, accessKeyId, secretAccessKey, sessionToken } = this.#bucket
    const signer = new AwsV4Signer({
      method,
      url: `${this.#base}/${place}`,
      headers: { 'x-amz-content-sha256': NOTHING, ...headers },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
    })
    const signed = await signer.sign()
    const signal = withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }
    const sent = body === undefined ? {} : { body: body(), duplex: 'half' }
    return fetch(signed.url, { method, headers: signed.headers, redirect: 'error', ...sent, ...signal } as RequestInit)
  }
}

/** The reason that the store gives, in its own words. */
async function refusal(answer: Response): Promise<Error> {
  const [, code = answer.statusText] = /<Code>(\w{1,100})<\/Code>/.exec((await answer.text()).slice(0, 10_000)) ?? []
  return new Error(`the bucket answers ${answer.status} ${code}`)
}

function unreachable(base: string, error: Error): Error {
  const { cause } = error as { readonly cause?: { readonly code?: string } }
  return new Error(`${new URL(base).origin} can't be reached (${cause?.code ?? error.message})`)
}
