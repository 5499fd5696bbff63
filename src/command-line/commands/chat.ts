// `starbind chat`: a conversation with a model that may call the tools.

import {
  type AgentEvent,
  type AgentMode,
  type AgentResult,
  createAgent,
  type Message,
  type ModelEndpoint,
  type ModelSettings,
  type TraceMode,
} from '../../agent/index.js'
import { askingPerson } from '../ask-person.js'
import { chatPrompt } from '../chat/chat-prompt.js'
import { ChatTurns } from '../chat/chat-turns.js'
import { chosenModel } from '../chat/chosen-model.js'
import { type EarlierOptions, earlier } from '../chat/earlier.js'
import { tellEnd, turnStatus } from '../chat/turn-end.js'
import { TurnView } from '../chat/turn-view.js'
import { wrongUsage } from '../failure.js'
import { type CommonOptions, configurationFor, keepingIn, logFor, remembering, standardInput } from '../given.js'
import { openGiven } from '../opening.js'
import { printJson, show } from '../print.js'
import { showingWhoStarts } from '../starting.js'
import { interruptedStatus, mustGoOn, stopping } from '../stopping.js'

interface ChatOptions extends CommonOptions, EarlierOptions {
  readonly model?: string
  readonly mode?: AgentMode
  readonly temperature?: number
  readonly maxTokens?: number
  readonly maxTurns?: number
  readonly trace?: TraceMode
  readonly readOnly?: true
  readonly ask?: true
  readonly json?: true
  readonly events?: true
}

export async function chat(words: readonly string[], options: ChatOptions): Promise<number> {
  const forMachines = options.json || options.events
  const isTyped = process.stdin.isTTY === true && process.stdout.isTTY === true
  const message = words.length > 0 && words[0] !== '-' ? words.join(' ') : isTyped ? undefined : await standardInput()
  if (message === undefined && forMachines) throw wrongUsage('--json and --events need a message')
  if (message?.trim() === '') throw wrongUsage('there is no message: give one, or type at a terminal')
  const log = logFor(options, 'warn')
  const configuration = configurationFor(options, log)
  const { endpoint, mode = 'auto', maxTurns } = await chosenModel(options.model, configuration)
  await using codeMode = await openGiven({
    configuration,
    ...remembering(options),
    ...keepingIn(options, configuration),
    log,
    startServers: message === undefined ? 'meanwhile' : 'named',
    warm: message === undefined ? 'run' : true,
    signal: stopping,
  })
  const reach = options.mode ?? mode
  if (reach !== 'code') await showingWhoStarts(codeMode, codeMode.listed({ signal: stopping }))
  mustGoOn()
  const before = await earlier(codeMode, options)
  const agent = createAgent({
    codeMode: codeMode.session({
      results: 'shared',
      mayApprove: true,
      ...(options.readOnly ? { readOnly: true } : {}),
      ...(options.ask ? { approve: 'writes' } : {}),
    }),
    model: endpoint,
    mode: reach,
    maxTurns: options.maxTurns ?? maxTurns,
    instructions: options.system,
    settings: settingsOf(options, endpoint),
    traces: options.trace ?? 'all_messages',
  })
  const turns = new ChatTurns(agent, before)
  if (message !== undefined) return await answer(turns, message, { ...options, name: endpoint.name })
  show(process.stdout, `${endpoint.name} at ${new URL(endpoint.baseUrl).host}. .help lists the commands; Ctrl-D ends.`)
  if (before !== undefined) show(process.stdout, `goes on with ${before.name}: ${lastWords(before.messages)}`)
  await chatPrompt({ turns, model: endpoint.name })
  return 0
}

/** OpenAI's own endpoints have another name for it, and refuse the one that all others know. */
function settingsOf({ temperature, maxTokens }: ChatOptions, { baseUrl }: ModelEndpoint): ModelSettings {
  const isOpenAi = /(?:^|\.)openai\.(?:com|azure\.com)$/.test(new URL(baseUrl).hostname)
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [isOpenAi ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
  }
}

const LAST_WORDS = 60

/** The beginning of the last question. */
function lastWords(messages: readonly Message[]): string {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? []
  const text = question.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > LAST_WORDS ? `${line.slice(0, LAST_WORDS)}…` : line
}

/** One question, and its answer on stdout. */
async function answer(
  turns: ChatTurns,
  message: string,
  { json, events, name }: Pick<ChatOptions, 'json' | 'events'> & { readonly name: string },
): Promise<number> {
  const isSilent = json || events || !process.stderr.isTTY || !process.stdout.isTTY
  const view = isSilent ? undefined : new TurnView(name)
  const calls: CallFacts[] = []
  const onEvent = (event: AgentEvent): void => {
    if (events) printJson(event)
    if (event.type === 'tool_response') calls.push(callFacts(event))
    view?.onEvent(event)
  }
  const onApproval = json || events ? undefined : askingPerson(view?.alone ?? ((work) => work()), { isKept: false })
  const result = await turns.ask(message, { signal: stopping, onEvent, onApproval }).finally(() => view?.end())
  if (json || events) printJson({ ...(events ? { type: 'result' } : {}), ...factsOf(result, calls) })
  else if (view === undefined && result.text !== '') show(process.stdout, result.text)
  if (!json && !events) tellEnd(result)
  return interruptedStatus() ?? turnStatus(result)
}

interface CallFacts {
  readonly id: string
  /** The call whose program made it; null: the model made it. */
  readonly parentId: string | null
  readonly name: string
  readonly ok: boolean
  readonly ms: number
}

function callFacts({
  callId: id,
  parentId,
  name,
  isError,
  ms,
}: Extract<AgentEvent, { type: 'tool_response' }>): CallFacts {
  return { id, parentId, name, ok: !isError, ms }
}

function factsOf(result: AgentResult, calls: readonly CallFacts[]) {
  const { runId, why, text, reasoning, pending, usage, error = null } = result
  return { ok: turnStatus(result) === 0, why, answer: text, reasoning, calls, pending, usage, trace: runId, error }
}
