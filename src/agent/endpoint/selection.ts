// The tools of one request: those that its key may call, narrowed by headers and by the model's name
// (`model|tool1|tool2`, `model|none`).
// Invariant: a selection can only take away, and every name that selects nothing is reported.

import { type CallerFacts, type CodeMode, type RequestHeaders, type Session, toolMatcher } from '../../index.js'

/** A tool that may be selected, under the name by which models call it. */
export interface SelectableTool {
  readonly name: string
  readonly server: string
  readonly tool: string
}

export interface Selection {
  readonly session: Session
  /** Names that select nothing. */
  readonly unknown: readonly string[]
}

/** The words of a request about its tools. Absent: it says nothing. */
interface SelectionWords {
  readonly model: readonly string[] | undefined
  readonly headers: RequestHeaders
}

const MOST_WORDS = 100
const NONE = 'none'

/** `gpt|files_read|none` as the model's name and the words after it. */
export function wordsOf(model: string): { readonly name: string; readonly words: readonly string[] | undefined } {
  const [name = '', ...rest] = model.split('|').map((word) => word.trim())
  const words = rest.filter((word) => word !== '').slice(0, MOST_WORDS)
  return { name, words: words.length === 0 ? undefined : words }
}

/** Header names by what their values name. Bifrost's spelling is accepted, too. */
const HEADERS = {
  servers: ['x-mcp-include-clients', 'x-bf-mcp-include-clients'],
  tools: ['x-mcp-include-tools', 'x-bf-mcp-include-tools'],
}

/** The view of a caller without its request's selection. */
export function wholeView(codeMode: CodeMode, caller: CallerFacts): Session {
  const hidden = [...HEADERS.servers, ...HEADERS.tools]
  const headers = Object.fromEntries(Object.entries(caller.headers).filter(([name]) => !hidden.includes(name)))
  return codeMode.accept({ ...caller, headers })
}

/** True if a request says which tools it means. */
export function isSelective({ model, headers }: SelectionWords): boolean {
  return model !== undefined || [...HEADERS.servers, ...HEADERS.tools].some((name) => headers[name] !== undefined)
}

/** `tools`: all that `whole` may call. */
export function select(
  whole: Session,
  tools: readonly SelectableTool[],
  { model, headers }: SelectionWords,
): Selection {
  const servers = listedIn(headers, HEADERS.servers)
  const listed = listedIn(headers, HEADERS.tools)
  const unknown = [
    ...servers.filter((word) => !tools.some(matching(`${word}/*`))),
    ...listed.filter((word) => !tools.some(matching(word))),
  ]
  const narrowed = whole.narrowed(headers)
  if (model === undefined) return { session: narrowed, unknown }
  const meant = model.filter((word) => word !== NONE).map((word) => ({ word, found: meantBy(word, tools) }))
  const toolsToExecute = meant.flatMap(({ found }) => found.map(({ server, tool }) => `${server}/${tool}`))
  return {
    session: narrowed.session({ filters: { toolsToExecute }, results: 'shared' }),
    unknown: [...unknown, ...meant.filter(({ found }) => found.length === 0).map(({ word }) => word)],
  }
}

/** A word is the name by which models call a tool, the tool's own, or a pattern as keys have them. */
function meantBy(word: string, tools: readonly SelectableTool[]): readonly SelectableTool[] {
  const named = tools.filter(({ name, tool }) => name === word || tool === word)
  return named.length > 0 ? named : tools.filter(matching(word))
}

function matching(pattern: string): (tool: SelectableTool) => boolean {
  const matches = toolMatcher([pattern])
  return ({ server, tool }) => matches(server, tool)
}

function listedIn(headers: RequestHeaders, names: readonly string[]): string[] {
  const words = names.flatMap((name) => [headers[name] ?? []].flat()).flatMap((value) => value.split(','))
  return words.flatMap((word) => word.trim() || []).slice(0, MOST_WORDS)
}
