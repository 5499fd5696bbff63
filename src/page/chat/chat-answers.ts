// The operations about conversations with a model.
// Invariant: a conversation has at most one answer underway, and what came of it is kept, however it ends.

import { type AgentEvent, createAgent, type Message, type OnAgentApproval } from '../../agent/index.js'
import type { ApprovalAnswer, ModelConfig, Session } from '../../index.js'
import type { Asked } from '../asked.js'
import type {
  ChatAnswer,
  ChatCall,
  ChatEvent,
  Conversation,
  Imported,
  NewConversation,
  NewMessage,
} from '../interface.js'
import { answerUnderway, modelUnusable, noSuch } from '../messages.js'
import { Refusal } from '../refusal.js'
import { attachmentText, messagesBefore, viewOf } from './chat-view.js'
import {
  conversationView,
  type KeptConversation,
  keepConversation,
  listConversations,
  newId,
  readConversation,
} from './conversations.js'
import { exported, imported } from './markdown.js'

const TITLE = 60
const MOST_QUESTIONS = 100

interface Question {
  readonly owner: string
  readonly answer: (answer: ApprovalAnswer) => void
}

export function chatAnswers(models: readonly ModelConfig[]) {
  return { ...keptConversations(models), ...answers(models) }
}

const read = ({ viewer, parameters }: Asked) =>
  readConversation(viewer.session, viewer.name, parameters.conversation ?? '')

async function made({ viewer }: Asked, kept: Omit<KeptConversation, 'id' | 'changedAt'>): Promise<Conversation> {
  const whole = { ...kept, id: newId() }
  await keepConversation(viewer.session, whole)
  return conversationView(await readConversation(viewer.session, viewer.name, whole.id))
}

function keptConversations(models: readonly ModelConfig[]) {
  const usable = models.find(({ faults }) => faults.length === 0)?.name ?? ''
  return {
    conversations: async ({ viewer }: Asked) => ({
      conversations: await listConversations(viewer.session, viewer.name),
    }),
    newConversation: async (asked: Asked) => {
      const { title = '', model = usable, instructions = '' } = asked.body as NewConversation
      return made(asked, { title, model, instructions, startedAt: Date.now(), messages: [] })
    },
    importConversation: async (asked: Asked) => {
      const { markdown } = asked.body as Imported
      return made(asked, { ...imported(markdown), model: usable, startedAt: Date.now() })
    },
    conversation: async (asked: Asked) => conversationView(await read(asked)),
    changeConversation: async (asked: Asked) => {
      const before = await read(asked)
      const given = asked.body as NewConversation
      const { title = before.title, model = before.model, instructions = before.instructions } = given
      await keepConversation(asked.viewer.session, { ...before, title, model, instructions })
      return conversationView(await read(asked))
    },
    deleteConversation: async (asked: Asked) => {
      const { id } = await read(asked)
      await asked.viewer.session.traces.delete(id)
    },
    duplicateConversation: async (asked: Asked) => {
      const { id: _, changedAt: _changed, ...kept } = await read(asked)
      return made(asked, { ...kept, title: `${kept.title} (copy)`, startedAt: Date.now() })
    },
    exportConversation: async (asked: Asked) => {
      const kept = await read(asked)
      return exported(kept, conversationView(kept).messages)
    },
  }
}

function answers(models: readonly ModelConfig[]) {
  const underway = new Set<string>()
  /** Open questions, by their ids. */
  const questions = new Map<string, Question>()
  return {
    sendMessage: async (asked: Asked) => {
      const kept = await read(asked)
      if (underway.has(kept.id)) throw new Refusal(409, answerUnderway)
      const model = models.find(({ name }) => name === kept.model)
      if (model === undefined || model.faults.length > 0) throw new Refusal(409, modelUnusable(kept.model))
      const messages = await withMessage(kept, asked.body as NewMessage, asked.viewer.session)
      underway.add(kept.id)
      try {
        await new Answering(asked, questions).run({ ...kept, messages }, model)
      } finally {
        underway.delete(kept.id)
      }
    },
    answerInConversation: async ({ viewer, body }: Asked) => {
      const { approvalId, answer, reason } = body as ChatAnswer
      const question = questions.get(approvalId)
      if (question === undefined || question.owner !== viewer.name)
        throw new Refusal(404, noSuch('question', approvalId))
      question.answer(answer === 'deny' && reason !== undefined ? { deny: reason } : answer)
    },
  }
}

async function withMessage(
  { messages }: KeptConversation,
  { text, attachments = [], from }: NewMessage,
  { artifacts }: Session,
): Promise<readonly Message[]> {
  const files = await Promise.all(attachments.map((name) => artifacts.open(name)))
  const texts = [text, ...files.map(attachmentText)]
  const content = texts.map((one) => ({ type: 'text' as const, text: one }))
  return [...(from === undefined ? messages : messagesBefore(messages, from)), { role: 'user', content }]
}

/** One answer of a model, as a stream of events. */
class Answering {
  readonly #asked: Asked
  readonly #questions: Map<string, Question>
  readonly #calls = new Map<string, ChatCall>()

  constructor(asked: Asked, questions: Map<string, Question>) {
    this.#asked = asked
    this.#questions = questions
  }

  async run(kept: KeptConversation, model: ModelConfig): Promise<void> {
    const { viewer, routed } = this.#asked
    const { session } = viewer
    const title = kept.title || titleOf(kept.messages)
    await keepConversation(session, { ...kept, title })
    const agent = createAgent({
      codeMode: session,
      model: { baseUrl: model.baseUrl, apiKey: model.apiKey, name: model.model, headers: model.headers },
      mode: model.mode,
      maxTurns: model.maxTurns,
      ...(kept.instructions === '' ? {} : { instructions: kept.instructions }),
    })
    routed.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
    })
    const result = await agent.run([...kept.messages], {
      signal: AbortSignal.any([routed.signal, routed.closing]),
      onEvent: (event) => this.#tell(event),
      onApproval: (request) => this.#ask(request),
    })
    const own = result.messages.filter(({ role }) => role !== 'system')
    const notMade = result.pending.map(({ call }): Message => {
      const text = 'This call was not made: nobody has decided about it.'
      return { role: 'tool', tool_call_id: call.id, content: [{ type: 'text', text }], is_error: true }
    })
    await keepConversation(session, {
      ...kept,
      title,
      messages: result.reply === undefined ? kept.messages : [...own, ...notMade],
    })
    const { error } = result
    if (error !== undefined)
      this.#send({ type: 'failure', code: error.code, message: error.message, hint: error.hint ?? null })
    const conversation = conversationView(await readConversation(session, viewer.name, kept.id))
    this.#send({ type: 'end', why: result.why, conversation })
    routed.response.end()
  }

  /** Resolves when the browser has read what it was sent, so that the model waits for it. */
  #tell(event: AgentEvent): Promise<void> | undefined {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.#send({ type: event.type, text: event.text })
      case 'tool_call': {
        const { callId, parentId, name, arguments: given = null } = event
        this.#put({ callId, parentId, name, arguments: given, state: 'underway', text: null, ms: null })
        return undefined
      }
      case 'tool_response': {
        const before = this.#calls.get(event.callId)
        const { isError, text = null, ms } = event
        if (before) this.#put({ ...before, state: isError ? 'failed' : 'ok', text, ms })
        return undefined
      }
      case 'progress': {
        const { callId, progress, total = null, message = null } = event
        return this.#send({ type: 'progress', callId, progress, total, message })
      }
      default:
        return undefined
    }
  }

  readonly #ask: OnAgentApproval = ({ calls, program, signal }) => {
    if (this.#questions.size >= MOST_QUESTIONS) return 'pause'
    const approvalId = newId()
    const { name: owner } = this.#asked.viewer
    this.#send({
      type: 'approval',
      approvalId,
      program: program?.text ?? null,
      calls: calls.map(({ arguments: given, ...call }) => ({ ...call, arguments: given ?? null })),
    })
    return new Promise<ApprovalAnswer>((resolve) => {
      const answer = (given: ApprovalAnswer): void => {
        this.#questions.delete(approvalId)
        this.#send({ type: 'answered', approvalId })
        resolve(given)
      }
      this.#questions.set(approvalId, { owner, answer })
      signal.addEventListener('abort', () => answer('pause'), { once: true })
    })
  }

  #put(call: ChatCall): void {
    this.#calls.set(call.callId, call)
    this.#send({ type: 'call', call })
  }

  #send(event: ChatEvent): Promise<void> | undefined {
    const { response } = this.#asked.routed
    if (response.destroyed || response.writableEnded) return undefined
    if (response.write(`data: ${JSON.stringify(event)}\n\n`)) return undefined
    return new Promise((resolve) => {
      response.once('drain', resolve)
      response.once('close', resolve)
    })
  }
}

function titleOf(messages: readonly Message[]): string {
  const first = viewOf(messages).find(({ role }) => role === 'user')
  return (first?.text.split('\n', 1)[0] ?? '').slice(0, TITLE)
}
