// A reply of Chat Completions, put together from the pieces of a stream or from the whole.
// Invariant: work is linear in the size of the pieces.

import type { ToolCall } from './conversation.js'
import type { ModelDelta, ModelReply, ReplyTokens } from './model.js'

/** The part of a message or a delta that is read. Endpoints send more, and less. */
interface RawPart {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: unknown
}

export interface RawCompletion {
  readonly model?: unknown
  readonly choices?: unknown
  readonly usage?: unknown
}

interface CallPieces {
  id: string
  name: string
  extra: Entry | undefined
  readonly pieces: string[]
}

type Entry = Readonly<Record<string, unknown>>

/** What a piece counts beside its text, so that empty ones are bounded, too. */
const PIECE_CHARS = 16

export class ReplyParts {
  readonly #onDelta: (delta: ModelDelta) => void
  readonly #text: string[] = []
  readonly #reasoning: string[] = []
  readonly #calls = new Map<unknown, CallPieces>()
  #finish: string | undefined
  #model: string | undefined
  #tokens: ReplyTokens | undefined
  /** The size so far. */
  chars = 0

  constructor(onDelta: (delta: ModelDelta) => void) {
    this.#onDelta = onDelta
  }

  /** A chunk of a stream, or a whole completion. */
  add({ model, choices, usage }: RawCompletion): void {
    if (typeof model === 'string' && model !== '') this.#model = model
    if (isRecord(usage)) this.#tokens = tokensIn(usage)
    const [choice] = Array.isArray(choices) ? (choices as unknown[]) : []
    if (!isRecord(choice)) return
    const part = isRecord(choice.delta) ? choice.delta : choice.message
    if (isRecord(part)) this.#addPart(part)
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason
  }

  #addPart({ content, refusal, reasoning_content, reasoning, tool_calls }: RawPart): void {
    this.#addText('reasoning', this.#reasoning, reasoning_content ?? reasoning)
    this.#addText('text', this.#text, textIn(content))
    this.#addText('text', this.#text, refusal)
    if (Array.isArray(tool_calls)) for (const call of tool_calls as unknown[]) if (isRecord(call)) this.#addCall(call)
  }

  #addText(type: ModelDelta['type'], pieces: string[], text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    pieces.push(text)
    this.chars += text.length + PIECE_CHARS
    this.#onDelta({ type, text })
  }

  #addCall({ index, id, function: made, extra_content: extra }: Entry): void {
    // Some endpoints number no calls; then one with an id begins another.
    const key = index ?? (typeof id === 'string' && id !== '' ? id : this.#lastKey())
    const call = this.#calls.get(key) ?? { id: '', name: '', extra: undefined, pieces: [] }
    this.#calls.set(key, call)
    const { name, arguments: text } = isRecord(made) ? made : {}
    if (typeof id === 'string' && id !== '') call.id = id
    if (typeof name === 'string' && name !== '') call.name = name
    if (isRecord(extra)) {
      call.extra = extra
      this.chars += JSON.stringify(extra).length
    }
    const piece = typeof text === 'string' ? text : isRecord(text) ? JSON.stringify(text) : ''
    call.pieces.push(piece)
    this.chars += piece.length + PIECE_CHARS
  }

  #lastKey(): unknown {
    return [...this.#calls.keys()].at(-1)
  }

  /** False if the end of the reply has not come. */
  get isWhole(): boolean {
    return this.#finish !== undefined
  }

  reply(): ModelReply {
    const calls = [...this.#calls.values()].map(
      ({ id, name, extra, pieces }): ToolCall => ({
        id,
        type: 'function',
        function: { name, arguments: pieces.join('') },
        ...(extra === undefined ? {} : { extra_content: extra }),
      }),
    )
    const reasoning = this.#reasoning.join('')
    return {
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: this.#text.join('') }],
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      },
      finish: this.#finish ?? (calls.length === 0 ? 'stop' : 'tool_calls'),
      tokens: this.#tokens,
      model: this.#model,
    }
  }
}

/** Some endpoints write a list of texts. */
function textIn(content: unknown): unknown {
  return Array.isArray(content)
    ? content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
    : content
}

function tokensIn({
  prompt_tokens,
  completion_tokens,
  prompt_tokens_details,
  completion_tokens_details,
}: Entry): ReplyTokens {
  const cached = isRecord(prompt_tokens_details) ? prompt_tokens_details.cached_tokens : undefined
  const reasoning = isRecord(completion_tokens_details) ? completion_tokens_details.reasoning_tokens : undefined
  return {
    input: countOf(prompt_tokens),
    output: countOf(completion_tokens),
    ...(cached === undefined ? {} : { cached: countOf(cached) }),
    ...(reasoning === undefined ? {} : { reasoning: countOf(reasoning) }),
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
