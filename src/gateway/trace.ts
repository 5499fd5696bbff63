// OpenTelemetry spans of requests, runs and calls under the caller's trace, propagated to upstreams. Without a
// collector the caller's trace context is passed on unchanged.
// Invariant: every span that starts also ends, and spans hold names and outcomes, never arguments or answers.

import {
  type Context,
  createTraceState,
  isValidSpanId,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type Awaitable, settled } from '../awaitable/index.js'

/** The keys in `_meta` and in headers: `traceparent`, `tracestate`, `baggage`. */
export type TraceCarrier = Readonly<Record<string, string>>

export type SpanRole = 'request' | 'run' | 'call'

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  request: SpanKind.SERVER,
  run: SpanKind.INTERNAL,
  call: SpanKind.CLIENT,
}

export class Trace {
  readonly #context: Context
  readonly #carrier: TraceCarrier

  private constructor(context: Context, carrier: TraceCarrier) {
    this.#context = context
    this.#carrier = carrier
  }

  /** The caller's trace; a new one if it sent none, or an invalid one. */
  static of(carrier: TraceCarrier = {}): Trace {
    const parent = spanContextOf(carrier)
    return new Trace(parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent), carrier)
  }

  /**
   * Runs a function as a span of this trace. A rejection, or an outcome that `failed` recognises, marks it as an error.
   */
  span<T>(
    role: SpanRole,
    { name, attributes = {}, failed = () => false }: SpanOptions<T>,
    work: (inner: Trace) => Awaitable<T>,
  ): Awaitable<T> {
    const span = trace.getTracer('starbind').startSpan(name, { kind: KINDS[role], attributes }, this.#context)
    const ended = (isFailed: boolean): void => {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    return settled(
      () => work(this.#within(span)),
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

export interface SpanOptions<T> {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
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
