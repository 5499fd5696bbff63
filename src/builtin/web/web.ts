// The server `web`: pages and files of the hosts that its entry lists.
// Invariant: what came from outside is turned into something else in a host worker, never on the event loop.

import { z } from 'zod'
import { type HostWorkers, openHostWorkers } from '../../sandbox/index.js'
import { FileWork } from '../files/file-work.js'
import { dataFormats } from '../files/schemas.js'
import type { WebSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, type BuiltinTool, Failure, quoted } from '../tool.js'
import { Hosts } from './hosts.js'
import { get, type Page } from './request.js'

const LARGEST_TEXT = 4 * 1024 * 1024
const WORK_MS = 10_000
const READS = { readOnlyHint: true, openWorldHint: true } as const

const url = z.string().min(1).describe('such as "https://example.com/page"')
const fetchArguments = z.strictObject({
  url,
  markdown: z.boolean().default(false).describe('an HTML page as Markdown'),
})
const dataArguments = z.strictObject({
  url,
  format: z
    .enum(dataFormats)
    .optional()
    .describe('absent: by the type that the server names, or the ending of the URL'),
})
const artifactArguments = z.strictObject({ url })

export function openWeb(settings: WebSettings): Builtin {
  const web = new Web(settings)
  return {
    instructions: `Pages and files of ${settings.hosts.join(', ')}.`,
    tools: web.tools(),
    close: () => web.close(),
  }
}

type Context = Parameters<BuiltinTool['call']>[1]

class Web {
  readonly #settings: WebSettings
  readonly #hosts: Hosts
  readonly #parsing = new FileWork()
  #converting: HostWorkers | undefined

  constructor(settings: WebSettings) {
    this.#settings = settings
    this.#hosts = new Hosts(settings.hosts)
  }

  tools(): Record<string, BuiltinTool> {
    return {
      fetch: {
        description: 'The text of a page or a file.',
        inputSchema: fetchArguments,
        outputSchema: z.string(),
        annotations: READS,
        call: (args, context) => this.#fetch(args as z.output<typeof fetchArguments>, context),
      },
      data: {
        description: 'JSON, CSV, TSV, JSON Lines, YAML or TOML as data. Cells of tables are texts.',
        inputSchema: dataArguments,
        outputSchema: z.unknown(),
        annotations: READS,
        call: (args, context) => this.#data(args as z.output<typeof dataArguments>, context),
      },
      artifact: {
        description: 'A picture or any other file as an artifact: its path, type and size.',
        inputSchema: artifactArguments,
        annotations: READS,
        call: (args, context) => this.#artifact(args as z.output<typeof artifactArguments>, context),
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#parsing.close(), this.#converting?.close()])
  }

  async #fetch({ url: raw, markdown }: z.output<typeof fetchArguments>, { signal }: Context): Promise<BuiltinAnswer> {
    const page = await this.#get(raw, markdown ? 'text/markdown, text/html, */*;q=0.5' : '*/*', signal)
    const text = textOf(page)
    if (!markdown || !/^(?:text\/html|application\/xhtml\+xml)$/.test(page.type)) return { kind: 'text', text }
    return { kind: 'text', text: await this.#markdown(text, page.url, signal) }
  }

  async #data({ url: raw, format }: z.output<typeof dataArguments>, { signal }: Context): Promise<BuiltinAnswer> {
    const page = await this.#get(raw, 'application/json, */*;q=0.5', signal)
    const args = { text: textOf(page), format: format ?? formatOf(page), name: nameOf(page) }
    return (await this.#parsing.run('parse', args, signal)) as BuiltinAnswer
  }

  async #artifact({ url: raw }: { readonly url: string }, { signal }: Context): Promise<BuiltinAnswer> {
    const { type, bytes, ...page } = await this.#get(raw, '*/*', signal)
    const mimeType = type || 'application/octet-stream'
    return { kind: 'file', path: nameOf(page), mimeType, data: bytes.toString('base64') }
  }

  async #get(raw: string, accept: string, signal: AbortSignal): Promise<Page> {
    const { timeoutMs, maxBytes } = this.#settings
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new Failure(`it took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    )
    try {
      return await get(raw, { hosts: this.#hosts, maxBytes, accept, signal: AbortSignal.any([signal, late.signal]) })
    } finally {
      clearTimeout(timer)
    }
  }

  async #markdown(html: string, { href }: URL, signal: AbortSignal): Promise<string> {
    this.#converting ??= openHostWorkers({ module: new URL('./work.js', import.meta.url).href, maxThreads: 1 })
    const end = await this.#converting.run({ input: { html, href }, withinMs: 3 * WORK_MS, workMs: WORK_MS, signal })
    if (end.kind === 'done') return end.value as string
    if (end.kind === 'cancelled') throw new Failure('it was cancelled')
    throw new Failure('the page is too large or too odd to become Markdown: fetch it without markdown')
  }
}

function textOf({ bytes, charset, url: { origin, pathname }, type }: Page): string {
  const place = quoted(`${origin}${pathname}`)
  if (bytes.length > LARGEST_TEXT)
    throw new Failure(`${place} has more than ${LARGEST_TEXT} bytes of text: use web.artifact`)
  // A page may name its encoding itself.
  const named =
    charset ?? /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1] ?? 'utf-8'
  if (bytes.subarray(0, 8192).includes(0) && !/^utf-?16/i.test(named))
    throw new Failure(`${place} is ${type || 'binary'}, not text: use web.artifact`)
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    throw new Failure(`${place} is in the encoding ${quoted(named)}, which is not known: use web.artifact`)
  }
}

function nameOf({ url: { hostname, pathname } }: Pick<Page, 'url'>): string {
  return pathname.split('/').findLast((part) => part !== '') ?? hostname
}

const TYPES: readonly (readonly [RegExp, (typeof dataFormats)[number]])[] = [
  [/[/+]json$/, 'json'],
  [/^text\/csv$/, 'csv'],
  [/^text\/tab-separated-values$/, 'tsv'],
  [/[/+](?:x-)?(?:ndjson|jsonl|jsonlines)$/, 'jsonl'],
  [/[/+](?:x-)?yaml$/, 'yaml'],
  [/[/+]toml$/, 'toml'],
]

function formatOf({ type }: Page): (typeof dataFormats)[number] | undefined {
  return TYPES.find(([pattern]) => pattern.test(type))?.[1]
}
