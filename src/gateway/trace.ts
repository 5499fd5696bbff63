// OpenTelemetry spans of requests, runs and calls under the caller's trace, propagated to upstreams. Without a
// collector the caller's trace context is passed on unchanged.
// Invariant: every span that starts also ends, and spans hold names and outcomes, never arguments or answers.

import {
  type Context,
  createTraceState,
  isValidSpanId,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type Awaitable, settled } from '../awaitable/index.js'

/**
 * A trace's place as W3C's headers have it, with the keys `traceparent`, `tracestate` and `baggage`.
 *
 * @example
 * import { CodeMode, type TraceCarrier } from 'starbind'
 *
 * const trace: TraceCarrier = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
 * await using codeMode = await CodeMode.open()
 * await codeMode.run('result = 1', { trace })
 */
export type TraceCarrier = Readonly<Record<string, string>>

/**
 * What a span is about. `agent`: a run of an agent; `model`: a request to a model; `tool`: a model's call.
 *
 * @example
 * import type { SpanRole } from 'starbind'
 *
 * export const role: SpanRole = 'agent'
 */
export type SpanRole = 'request' | 'run' | 'call' | 'agent' | 'model' | 'tool'

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  request: SpanKind.SERVER,
  run: SpanKind.INTERNAL,
  call: SpanKind.CLIENT,
  agent: SpanKind.INTERNAL,
  model: SpanKind.CLIENT,
  tool: SpanKind.INTERNAL,
}

/**
 * OpenTelemetry spans under a caller's trace, for hosts that put their own spans above those of runs and calls.
 *
 * @example
 * import { CodeMode, Trace } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * await Trace.of().span('agent', { name: 'invoke_agent mine' }, ({ carrier }) => codeMode.run('result = 1', { trace: carrier }))
 */
export class Trace {
  readonly #context: Context
  readonly #carrier: TraceCarrier

  private constructor(context: Context, carrier: TraceCarrier) {
    this.#context = context
    this.#carrier = carrier
  }

  /** The caller's trace; a new one if it sent none, or an invalid one. */
  static of(carrier: TraceCarrier = NO_CARRIER): Trace {
    if (carrier === NO_CARRIER) return new Trace(ROOT_CONTEXT, carrier)
    const parent = spanContextOf(carrier)
    return new Trace(parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent), carrier)
  }

  /**
   * Runs a function as a span of this trace. A rejection, or an outcome that `failed` recognises, marks it as an error.
   * `note` adds attributes until then.
   */
  span<T>(
    role: SpanRole,
    { name, attributes = {}, failed = () => false }: SpanOptions<T>,
    work: (inner: Trace, note: (attributes: SpanAttributes) => void) => Awaitable<T>,
  ): Awaitable<T> {
    if (!isCollected()) return work(this, unnoted)
    const span = trace.getTracer('starbind').startSpan(name, { kind: KINDS[role], attributes }, this.#context)
    const ended = (isFailed: boolean): void => {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    return settled(
      () => work(this.#within(span), (attributes) => span.setAttributes(attributes)),
      (result) => {
        ended(failed(result))
        return result
      },
      (error) => {
        ended(true)
        throw error
      },
    )
  }

  /** Without a collector there is no span, and the caller's trace continues. */
  #within(span: Span): Trace {
    const { spanId } = span.spanContext()
    const isOurs = isValidSpanId(spanId) && spanId !== trace.getSpanContext(this.#context)?.spanId
    return isOurs ? new Trace(trace.setSpan(this.#context, span), this.#carrier) : this
  }

  /** The trace context for the called side. */
  get carrier(): TraceCarrier {
    const span: Span | undefined = trace.getSpan(this.#context)
    const own = span?.spanContext()
    if (own === undefined || !trace.isSpanContextValid(own)) return this.#carrier
    const { traceparent: _parent, tracestate: _state, ...rest } = this.#carrier
    const tracestate = own.traceState?.serialize()
    const flags = own.traceFlags.toString(16).padStart(2, '0')
    return {
      ...rest,
      traceparent: `00-${own.traceId}-${own.spanId}-${flags}`,
      ...(tracestate ? { tracestate } : {}),
    }
  }
}

const NO_CARRIER: TraceCarrier = {}

function unnoted(): void {}

/** False: no spans are collected in this process, and making one would take longer than most steps of a call. */
export function isCollected(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('starbind') !== undefined
}

/**
 * What is noted about a span.
 *
 * @example
 * import type { SpanAttributes } from 'starbind'
 *
 * export const attributes: SpanAttributes = { 'gen_ai.operation.name': 'chat' }
 */
export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>

/**
 * A span's name and attributes, and what counts as its failure.
 *
 * @example
 * import type { SpanOptions } from 'starbind'
 *
 * export const options: SpanOptions<number> = { name: 'count', failed: (count) => count === 0 }
 */
export interface SpanOptions<T> {
  readonly name: string
  readonly attributes?: SpanAttributes
  readonly failed?: (result: T) => boolean
}

function spanContextOf({ traceparent = '', tracestate }: TraceCarrier): SpanContext | undefined {
  const read = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent.trim())
  if (read === null) return undefined
  const context: SpanContext = {
    traceId: read[1]!,
    spanId: read[2]!,
    traceFlags: Number.parseInt(read[3]!, 16),
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  }
  return trace.isSpanContextValid(context) ? context : undefined
}
