// Failures of a request in the form that OpenAI's clients read: a status and an error object.

import type { DiagnosticError, ModelConfig } from '../../index.js'
import type { AgentError } from '../agent-result.js'
import { placeOf } from '../chat-completions.js'

interface ErrorBody {
  readonly message: string
  readonly type: string
  /** The parameter of the request that is wrong. */
  readonly param: string | null
  readonly code: string | null
}

/** The reason why a request gets no answer. */
export class Refusal extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(
    status: number,
    message: string,
    { param = null, code = null }: Partial<Pick<ErrorBody, 'param' | 'code'>> = {},
  ) {
    super(message)
    this.status = status
    this.body = {
      message,
      type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
      param,
      code,
    }
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  502: 'upstream_error',
}

/** The codes of refusals that happen before a request is read. */
const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'unknown_url',
  405: 'method_not_allowed',
  413: 'request_too_large',
  429: 'rate_limit_exceeded',
}

/** The refusal of a request that was not read. */
export function refusalOf(status: number, message: string): Refusal {
  const code = CODES[status]
  return new Refusal(status, message, code === undefined ? {} : { code })
}

/** Wrong input that the agent found. */
export function wrongInput(error: DiagnosticError): Refusal {
  const { diagnostics } = error
  const words = diagnostics.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`))
  return new Refusal(400, words.join('; '), { code: diagnostics[0]?.code ?? null })
}

/** Statuses of a model's endpoint that are about the caller's request. */
const PASSED_ON: ReadonlySet<number> = new Set([400, 413, 422, 429])

/** The failure of a run in words for the log. */
export function reasonOf({ message }: AgentError, { credentials }: ModelConfig): string {
  return credentials.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
}

/** The end of a run that failed. The model's address and key are the operator's concern. */
export function failureOf(error: AgentError, model: ModelConfig): Refusal {
  const { source, code, status = 502 } = error
  const endpoint = `the endpoint of the model ${model.name}`
  const words = reasonOf(error, model).replaceAll(placeOf(model.baseUrl), endpoint)
  if (source !== 'model') return new Refusal(500, words, { code })
  if (status === 401 || status === 403)
    return new Refusal(502, `${endpoint} refused this server; its log has the reason`, { code })
  return new Refusal(PASSED_ON.has(status) ? status : 502, words, { code })
}
