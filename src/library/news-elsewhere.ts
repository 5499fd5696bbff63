// The news of runs, for those who watch at another process of the deployment: they say so every second, and the news
// are published in small batches.
// Invariant: nothing is published while nobody watches, and nothing that no watcher may see.

import type { RunNews, RunWatchers, Viewer } from '../meta-tools/index.js'
import type { Deployment } from '../state/index.js'

const EVERY_MS = 1000
/** How long a process counts as watching without saying so again. */
const LASTS_MS = 4 * EVERY_MS
const BATCH_MS = 50
const MOST_BATCH_CHARACTERS = 256 * 1024
const LONGEST_TEXT = 16 * 1024
const MOST_VIEWERS = 100

interface Wanted {
  readonly from: string
  readonly viewers: readonly Viewer[]
  readonly lines: boolean
}

type Program = (RunNews & { readonly type: 'event' })['program']

interface Batch {
  readonly from: string
  /** By run. */
  readonly programs: Readonly<Record<string, Program>>
  readonly news: readonly RunNews[]
}

export class NewsElsewhere {
  readonly #watchers: RunWatchers
  readonly #deployment: Deployment
  /** By process. */
  readonly #wanted = new Map<string, Wanted & { readonly until: number }>()
  #publishing: { readonly to: string; readonly stop: readonly (() => void)[] } = { to: '', stop: [] }
  #news: RunNews[] = []
  #programs: Record<string, Program> = {}
  #characters = 0
  #batch: NodeJS.Timeout | undefined
  #isRepeating = false
  #deaf: (() => void) | undefined
  #unasked: () => void = () => {}
  readonly #timer: NodeJS.Timeout

  /** Rejects with a DiagnosticError if the store can't be asked. */
  static async open(watchers: RunWatchers, deployment: Deployment): Promise<NewsElsewhere> {
    const news = new NewsElsewhere(watchers, deployment)
    news.#unasked = await deployment.channels.listen('news-wanted', (text) => news.#want(JSON.parse(text) as Wanted))
    return news
  }

  private constructor(watchers: RunWatchers, deployment: Deployment) {
    this.#watchers = watchers
    this.#deployment = deployment
    this.#timer = setInterval(() => void this.#ask().catch(() => {}), EVERY_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#batch)
    this.#unasked()
    this.#deaf?.()
    for (const stop of this.#publishing.stop) stop()
  }

  /** Says who watches here. */
  async #ask(): Promise<void> {
    this.#publishFor([...this.#wanted.values()].filter(({ until }) => until > performance.now()))
    const { processId: from, channels } = this.#deployment
    const viewers = this.#watchers.viewersOfOthers().slice(0, MOST_VIEWERS)
    if (viewers.length === 0) {
      this.#deaf?.()
      this.#deaf = undefined
      return
    }
    this.#deaf ??= await channels.listen('news', (text) => this.#hear(JSON.parse(text) as Batch))
    const wanted: Wanted = { from, viewers, lines: this.#watchers.wantLinesOfOthers() }
    await channels.publish('news-wanted', JSON.stringify(wanted))
  }

  #want(wanted: Wanted): void {
    if (wanted.from === this.#deployment.processId) return
    this.#wanted.set(wanted.from, { ...wanted, until: performance.now() + LASTS_MS })
    this.#publishFor([...this.#wanted.values()])
  }

  /** Watches here for those who watch elsewhere. */
  #publishFor(wanted: readonly (Wanted & { readonly until: number })[]): void {
    for (const { from } of this.#wanted.values())
      if (!wanted.some((one) => one.from === from)) this.#wanted.delete(from)
    const all = wanted.flatMap(({ viewers }) => viewers)
    const names = [...new Set(all.map(({ name }) => name))].sort()
    const viewers = all.some(({ seesAll }) => seesAll)
      ? [{ name: '', seesAll: true }]
      : names.map((name) => ({ name, seesAll: false }))
    const to = JSON.stringify(viewers)
    if (to === this.#publishing.to) return
    for (const stop of this.#publishing.stop) stop()
    const wantsLines = () => [...this.#wanted.values()].some(({ lines }) => lines)
    const watcher = (news: RunNews) => this.#collect(news)
    const stop = viewers.map((viewer) => this.#watchers.add({ viewer, watcher, wantsLines, wantsOthers: () => false }))
    this.#publishing = { to, stop }
  }

  #collect(news: RunNews): void {
    if (this.#isRepeating) return
    const cut = bounded(news)
    const { length } = JSON.stringify(cut)
    if (this.#characters + length > MOST_BATCH_CHARACTERS && isDetail(cut)) return
    if (news.type === 'event') this.#programs[news.runId] = boundedProgram(news.program)
    this.#characters += length
    this.#news.push(cut)
    this.#batch ??= setTimeout(() => this.#publish(), BATCH_MS)
  }

  #publish(): void {
    const batch: Batch = { from: this.#deployment.processId, programs: this.#programs, news: this.#news }
    this.#batch = undefined
    this.#news = []
    this.#programs = {}
    this.#characters = 0
    this.#deployment.channels.publish('news', JSON.stringify(batch)).catch(() => {})
  }

  #hear({ from, programs, news }: Batch): void {
    if (from === this.#deployment.processId) return
    this.#isRepeating = true
    for (const one of news)
      this.#watchers.tell(one.type === 'event' ? { ...one, program: programs[one.runId] ?? one.program } : one)
    this.#isRepeating = false
  }
}

/** Without the program, which a batch has once for each run. */
function bounded(news: RunNews): RunNews {
  if (news.type !== 'event') return news
  const { event } = news
  const program = { text: '', language: news.program.language }
  if (event.type === 'print') return { ...news, program, event: { ...event, text: event.text.slice(0, LONGEST_TEXT) } }
  if (event.type !== 'call.progress' || event.message === undefined) return { ...news, program }
  return { ...news, program, event: { ...event, message: event.message.slice(0, LONGEST_TEXT) } }
}

function boundedProgram({ text, language }: Program): Program {
  return { text: text.slice(0, LONGEST_TEXT), language }
}

/** News without which a watcher still knows the state of the run. */
function isDetail(news: RunNews): boolean {
  return news.type === 'place' || (news.type === 'event' && !news.event.type.startsWith('run.'))
}
