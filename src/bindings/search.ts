// Ranks tools by a query.
// Invariant: the same tools and query give the same order.

import { createRequire } from 'node:module'
import type MiniSearch from 'minisearch'
import type { SearchResult } from 'minisearch'
import type { BoundServer, BoundTool } from './bound.js'
import { firstSentence } from './quoting.js'
import { type Intent, nameIntent, type QueryWord, readQuery, wordsOf } from './search-words.js'

export interface ToolHit {
  readonly tool: BoundTool
  readonly score: number
}

interface Entry {
  readonly id: number
  readonly name: string
  readonly server: string
  readonly summary: string
  readonly description: string
  readonly parameters: string
}

const FIELDS = ['name', 'server', 'summary', 'description', 'parameters']
const WEIGHTS = { name: 4, server: 5, summary: 3, description: 0.5, parameters: 0.5 }
/** Parameters of BM25. In longer texts, repetitions of a word count less. */
const BM25 = { k: 1.5, b: 0.7, d: 0.5 }
/** The weights of inexact matches: synonyms, joined neighbours, longer words, misspellings. */
const ALIKE_WEIGHT = 0.25
const COMPOUND_WEIGHT = 0.8
const PREFIX_WEIGHT = 0.25
const FUZZY_WEIGHT = 0.45
/** The factor for a tool that matches none of the query's words, against one that matches all. */
const UNCOVERED = 0.2
const ALIKE_COVERS = 0.5
/** The bonus for a tool whose whole name is in the query. */
const NAME_COVERED = 0.4
/** The bonus for a tool with the requested action, and the penalty for another action. */
const SAME_INTENT = 1.25
const OTHER_INTENT = 0.85

/** The searched length of a description: later text is rarely about the tool's purpose. */
const INDEXED_CHARS = 1_500

/** An index over the tools of some servers. */
export class ToolSearch {
  readonly #tools: readonly BoundTool[]
  readonly #index: MiniSearch<Entry>
  /** For the name of each tool: its number of distinct words, and its action. */
  readonly #names: { readonly length: number; readonly intent: Intent | undefined }[] = []

  constructor(servers: readonly BoundServer[]) {
    this.#tools = servers.flatMap((server) => server.tools)
    const Index = createRequire(import.meta.url)('minisearch') as typeof MiniSearch
    this.#index = new Index<Entry>({
      fields: FIELDS,
      tokenize: (text) => text.split(' '),
      processTerm: (word) => (word === '' ? null : word),
      searchOptions: { boost: WEIGHTS, bm25: BM25 },
    })
  }

  /** Indexes the tools, one in each piece. Searches find nothing before. */
  *fill(): Generator<void, void, void> {
    for (const [id, tool] of this.#tools.entries()) {
      const entry = entryOf(tool, id)
      this.#index.add(entry)
      this.#names.push({ length: new Set(entry.name.split(' ')).size, intent: nameIntent(wordsOf(tool.tool.name)) })
      yield
    }
  }

  /** The best matches, best first; with `server`, only its tools. */
  find(query: string, most: number, server?: BoundServer): ToolHit[] {
    const { words, compounds, intent } = readQuery(query)
    if (words.length === 0) return []
    const weights = new Map<string, number>(compounds.map((word) => [word, COMPOUND_WEIGHT]))
    for (const { others } of words) for (const other of others) weights.set(other, ALIKE_WEIGHT)
    for (const { word } of words) weights.set(word, 1)
    const results = this.#index.search([...weights.keys()].join(' '), {
      boostTerm: (term) => weights.get(term) ?? 1,
      prefix: (term) => term.length >= 3 && weights.get(term) === 1,
      fuzzy: (term) => (term.length >= 5 && weights.get(term) === 1 ? 0.2 : false),
      weights: { prefix: PREFIX_WEIGHT, fuzzy: FUZZY_WEIGHT },
      ...(server === undefined ? {} : { filter: ({ id }) => this.#tools[id as number]!.server === server }),
    })
    const hits = results.map((result) => {
      const id = result.id as number
      const { length, intent: own } = this.#names[id]!
      const fit = own === undefined || intent === undefined ? 1 : own === intent ? SAME_INTENT : OTHER_INTENT
      return { tool: this.#tools[id]!, score: fit * weighed(result, words, compounds, length) }
    })
    hits.sort((a, b) => b.score - a.score || (pathOf(a.tool) < pathOf(b.tool) ? -1 : 1))
    return hits.slice(0, most)
  }
}

/** A tool that matches more words of the query ranks above one that matches a word often. */
function weighed(
  result: SearchResult,
  words: readonly QueryWord[],
  compounds: readonly string[],
  nameLength: number,
): number {
  const matched = new Set(result.queryTerms)
  let covered = 0
  for (const { word, others } of words) {
    if (matched.has(word)) covered += 1
    else if (others.some((other) => matched.has(other))) covered += ALIKE_COVERS
  }
  if (compounds.some((word) => matched.has(word))) covered = Math.min(words.length, covered + 1)
  const inName = Object.values(result.match).filter((fields) => fields.includes('name')).length
  return result.score * (UNCOVERED + covered / words.length) * (1 + NAME_COVERED * Math.min(1, inName / nameLength))
}

/** The words of each tool, kept while other servers change. */
const entries = new WeakMap<BoundTool, Omit<Entry, 'id'>>()

function entryOf(tool: BoundTool, id: number): Entry {
  const known = entries.get(tool) ?? wordsOfTool(tool)
  entries.set(tool, known)
  return { id, ...known }
}

function wordsOfTool(tool: BoundTool): Omit<Entry, 'id'> {
  const description = tool.tool.description ?? ''
  return {
    name: wordsOf(`${tool.tool.name} ${tool.tool.title ?? tool.tool.annotations?.title ?? ''}`).join(' '),
    server: wordsOf(tool.server.source.name).join(' '),
    summary: wordsOf(firstSentence(description, 200)).join(' '),
    description: wordsOf(description.slice(0, INDEXED_CHARS)).join(' '),
    parameters: wordsOf(parameterWords(tool).slice(0, INDEXED_CHARS)).join(' '),
  }
}

function parameterWords(tool: BoundTool): string {
  return tool.signature.parameters.map(({ key, facts }) => `${key} ${facts.description ?? ''}`).join(' ')
}

function pathOf(tool: BoundTool): string {
  return `${tool.server.name}.${tool.name}`
}
