// The model that a person talks to: an entry of the configuration, or an address on the command line.

import type { AgentMode, ModelEndpoint } from '../../agent/index.js'
import { type Configuration, DiagnosticError, type ModelConfig } from '../../index.js'
import { wrongUsage } from '../failure.js'
import { stopping } from '../stopping.js'

interface ChosenModel {
  readonly endpoint: ModelEndpoint
  readonly mode?: AgentMode | undefined
  readonly maxTurns?: number | undefined
}

const BY_ADDRESS = '--model NAME=https://HOST/v1 names a model by its address, with the key in OPENAI_API_KEY'

/** `given`: a name of the configuration, `NAME=BASE_URL`, or a base URL, whose first model is taken. */
export async function chosenModel(given: string | undefined, { models = [] }: Configuration): Promise<ChosenModel> {
  const named = given === undefined ? models[0] : models.find(({ name }) => name === given)
  if (named !== undefined) return configured(named)
  if (given === undefined)
    throw wrongUsage('there is no model to talk to', `add the block models to the configuration; or ${BY_ADDRESS}`)
  const [, name, baseUrl] = /^(?:([^=:/]+(?::[^=/]+)?)=)?(https?:\/\/.+)$/.exec(given) ?? []
  if (baseUrl === undefined || !URL.canParse(baseUrl)) throw wrongUsage(unknownModel(given, models), BY_ADDRESS)
  const apiKey = process.env.OPENAI_API_KEY || undefined
  return { endpoint: { baseUrl, apiKey, name: name ?? (await firstModel(baseUrl, apiKey)) } }
}

function configured({ model, baseUrl, apiKey, headers, mode, maxTurns, faults }: ModelConfig): ChosenModel {
  if (faults.length > 0) throw new DiagnosticError(faults)
  return { endpoint: { baseUrl, apiKey, headers, name: model }, mode, maxTurns }
}

function unknownModel(given: string, models: readonly ModelConfig[]): string {
  const names = models.map(({ name }) => name).join(', ')
  return `there is no model ${given}; the configuration has ${names === '' ? 'none' : names}`
}

const MOST_BYTES = 1_000_000

/** The first model that an endpoint lists. */
async function firstModel(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const address = `${baseUrl.replace(/\/+$/, '')}/models`
  const refused = (why: string) => wrongUsage(`${address} lists no models: ${why}`, 'name one: --model NAME=BASE_URL')
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  let response: Response
  let body: string
  try {
    response = await fetch(address, { headers, signal: AbortSignal.any([stopping, AbortSignal.timeout(30_000)]) })
    body = await textOf(response)
  } catch (error) {
    const { cause, message } = error as Error
    throw refused(cause instanceof Error ? cause.message : message)
  }
  if (response.status === 401 || response.status === 403)
    throw refused(apiKey === undefined ? 'it wants a key; set OPENAI_API_KEY' : 'it refused the key in OPENAI_API_KEY')
  if (!response.ok) throw refused(`it answered with the status ${response.status}`)
  const id = firstId(body)
  if (id === undefined) throw refused(`it answered with ${response.headers.get('content-type') ?? 'something else'}`)
  return id
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error(`its answer has more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function firstId(json: string): string | undefined {
  try {
    const { data } = JSON.parse(json) as { readonly data?: readonly { readonly id?: unknown }[] }
    const id = data?.[0]?.id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
