// Where stored lists are: short-lived texts under names, in a folder of this machine, or in the store that several
// processes have in common.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import type { Deployment } from '../state/index.js'
import { writePrivateFile } from './private-file.js'

interface CatalogueText {
  readonly text: string
  /** When it was written or confirmed, in milliseconds since 1970. */
  readonly at: number
}

/** Whatever fails loses a text and nothing else. */
export interface CatalogueTexts {
  /** Undefined: there is none, or it is longer. */
  read(name: string, mostBytes: number): CatalogueText | undefined
  write(name: string, text: string): void
  /** The text is still right. */
  confirm(name: string): void
  remove(name: string): void
  now(): number
  /** Fetches texts, if that takes a request, for `read`. */
  load(names: readonly string[]): Promise<void> | undefined
}

const MOST_FILES = 200

export class FolderTexts implements CatalogueTexts {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  read(name: string, mostBytes: number): CatalogueText | undefined {
    try {
      const { mtimeMs, size } = statSync(this.#fileOf(name))
      return size > mostBytes ? undefined : { text: readFileSync(this.#fileOf(name), 'utf8'), at: mtimeMs }
    } catch {
      return undefined
    }
  }

  /** Does nothing if the folder is not writable; the next process then asks the server. */
  write(name: string, text: string): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      writePrivateFile(this.#fileOf(name), text)
      this.#makeRoom()
    } catch {}
  }

  confirm(name: string): void {
    try {
      const now = new Date()
      utimesSync(this.#fileOf(name), now, now)
    } catch {
      // The file was removed meanwhile.
    }
  }

  remove(name: string): void {
    rmSync(this.#fileOf(name), { force: true })
  }

  now(): number {
    return Date.now()
  }

  load(): undefined {
    return undefined
  }

  /** Deletes surplus files, those that were not confirmed for longest first. */
  #makeRoom(): void {
    const files = readdirSync(this.#folder).map((name) => path.join(this.#folder, name))
    if (files.length <= MOST_FILES) return
    const byAge = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => a.at - b.at)
    for (const { file } of byAge.slice(0, files.length - MOST_FILES)) rmSync(file, { force: true })
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, name)
  }
}

const DAY_MS = 86_400_000
/** A text that nobody confirms for so long is forgotten. */
const KEPT_MS = 30 * DAY_MS
const CHANNEL = 'catalogues'

/** Reads come from memory: texts are loaded before a server is used, and a message tells of changes. */
export class SharedTexts implements CatalogueTexts {
  readonly #deployment: Deployment
  readonly #texts = new Map<string, CatalogueText | undefined>()

  constructor(deployment: Deployment) {
    this.#deployment = deployment
    // It ends with the deployment. Without it, the lists of other processes are found at the next start.
    deployment.channels
      .listen(CHANNEL, (name) => {
        if (this.#texts.has(name)) void this.load([name])
      })
      .catch(() => {})
  }

  read(name: string, mostBytes: number): CatalogueText | undefined {
    const found = this.#texts.get(name)
    return found !== undefined && found.text.length <= mostBytes ? found : undefined
  }

  write(name: string, text: string): void {
    const written = { text, at: this.now() }
    this.#texts.set(name, written)
    this.#change(name, () =>
      this.#deployment.documents.write(documentOf(name), `${written.at} ${text}`, { ttlMs: KEPT_MS }),
    )
  }

  /** Writes it anew once a day. */
  confirm(name: string): void {
    const found = this.#texts.get(name)
    if (found !== undefined && this.now() - found.at > DAY_MS) this.write(name, found.text)
  }

  remove(name: string): void {
    if (this.#texts.get(name) === undefined) return
    this.#texts.set(name, undefined)
    this.#change(name, () => this.#deployment.documents.remove(documentOf(name)))
  }

  now(): number {
    return this.#deployment.now()
  }

  async load(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const stored = await this.#deployment.documents.read(documentOf(name)).catch(() => undefined)
        const [, at, text] = /^(\d+) (.*)$/s.exec(stored ?? '') ?? []
        this.#texts.set(name, text === undefined ? undefined : { text, at: Number(at) })
      }),
    )
  }

  #change(name: string, act: () => Promise<void>): void {
    act()
      .then(() => this.#deployment.channels.publish(CHANNEL, name))
      .catch(() => {})
  }
}

function documentOf(name: string): string {
  return `catalogue:${name}`
}
