// Finding tools by words. Knows the search library and how its scores are weighed; knows no answer text.
// Invariant: the same tools and the same query give the same order, whatever was searched or bound before.

import MiniSearch, { type SearchResult } from 'minisearch'
import type { BoundServer, BoundTool } from './bound.js'
import { firstSentence } from './quoting.js'
import { queryWords, wordsOf } from './search-words.js'

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
const WEIGHTS = { name: 4, server: 2, summary: 2, description: 0.6, parameters: 0.5 }
/** What a word counts that only stands for a word of the query. */
const ALIKE_WEIGHT = 0.35

/** An index over the tools of some servers. */
export class ToolSearch {
  readonly #tools: readonly BoundTool[]
  readonly #index: MiniSearch<Entry>

  constructor(servers: readonly BoundServer[]) {
    this.#tools = servers.flatMap((server) => server.tools)
    this.#index = new MiniSearch<Entry>({
      fields: FIELDS,
      tokenize: (text) => text.split(' '),
      processTerm: (word) => (word === '' ? null : word),
      searchOptions: { boost: WEIGHTS },
    })
    this.#index.addAll(this.#tools.map(entryOf))
  }

  /** The best matches, best first. Within one server if one is named. */
  find(query: string, most: number, server?: BoundServer): ToolHit[] {
    const words = queryWords(query)
    if (words.length === 0) return []
    const weights = new Map<string, number>()
    for (const { others } of words) {
      for (const other of others) weights.set(other, Math.max(weights.get(other) ?? 0, ALIKE_WEIGHT))
    }
    for (const { word } of words) weights.set(word, 1)
    const results = this.#index.search([...weights.keys()].join(' '), {
      boostTerm: (term) => weights.get(term) ?? 1,
      prefix: (term) => term.length >= 3 && weights.get(term) === 1,
      fuzzy: (term) => (term.length >= 5 && weights.get(term) === 1 ? 0.2 : false),
      ...(server === undefined ? {} : { filter: ({ id }) => this.#tools[id as number]!.server === server }),
    })
    const hits = results.map((result) => ({ tool: this.#tools[result.id as number]!, score: weighed(result, words) }))
    hits.sort((a, b) => b.score - a.score || (pathOf(a.tool) < pathOf(b.tool) ? -1 : 1))
    return hits.slice(0, most)
  }
}

/** A tool that answers more of the query's words is better than one that answers one of them often. */
function weighed(result: SearchResult, words: readonly { word: string; others: readonly string[] }[]): number {
  const matched = new Set(result.queryTerms)
  let covered = 0
  for (const { word, others } of words) {
    if (matched.has(word)) covered += 1
    else if (others.some((other) => matched.has(other))) covered += 0.6
  }
  return result.score * (0.2 + covered / words.length)
}

function entryOf(tool: BoundTool, id: number): Entry {
  const description = tool.tool.description ?? ''
  return {
    id,
    name: wordsOf(`${tool.tool.name} ${tool.tool.title ?? tool.tool.annotations?.title ?? ''}`).join(' '),
    server: wordsOf(tool.server.source.name).join(' '),
    summary: wordsOf(firstSentence(description, 200)).join(' '),
    description: wordsOf(description.slice(0, 4_000)).join(' '),
    parameters: wordsOf(
      tool.signature.parameters
        .map((one) => `${one.key} ${one.facts.description ?? ''}`)
        .join(' ')
        .slice(0, 4_000),
    ).join(' '),
  }
}

function pathOf(tool: BoundTool): string {
  return `${tool.server.name}.${tool.name}`
}
