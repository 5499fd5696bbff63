// The calls of a run on a time axis: one line for each, and above them how many were underway.
// Invariant: only the lines in sight are in the document, so a thousand calls cost what thirty do.

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Call } from '../../interface.js'
import { bytes, duration } from '../elements/amounts.js'
import { type Underway, underwayOf } from './live-run.js'
import { callLooks, lookOf } from './run-state.js'
import { type Axis, axisOf } from './time-axis.js'

const ROW = 24
const SPARE = 6

interface Waterfall {
  readonly calls: readonly Call[]
  /** Milliseconds after the start of the run: the end, or now. */
  readonly lastMs: number
  readonly startedAt: number
  /** More calls may come. */
  readonly isLive: boolean
  readonly chosen: number | undefined
  readonly choose: (number: number) => void
}

export function Waterfall({ calls, lastMs, startedAt, isLive, chosen, choose }: Waterfall) {
  const view = useRef<HTMLDivElement>(null)
  const seen = useSignal({ top: 0, height: 400, width: 800 })
  const isAtEnd = useRef(isLive)
  const look = () => {
    // The browser tells of scrolling at its next frame, when a person may have left.
    if (view.current === null) return
    const { scrollTop, clientHeight, clientWidth, scrollHeight } = view.current
    isAtEnd.current = isLive && scrollTop + clientHeight >= scrollHeight - ROW
    seen.value = { top: scrollTop, height: clientHeight, width: clientWidth }
  }
  useEffect(() => {
    const observer = new ResizeObserver(look)
    observer.observe(view.current!)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    // Who has scrolled up reads; who has not follows the newest calls.
    if (isAtEnd.current) view.current!.scrollTop = view.current!.scrollHeight
  }, [calls.length])
  const axis = axisOf(lastMs, Math.max(2, Math.min(10, Math.floor((seen.value.width - 260) / 75))))
  const first = Math.max(0, Math.floor(seen.value.top / ROW) - SPARE)
  const past = Math.min(calls.length, Math.ceil((seen.value.top + seen.value.height) / ROW) + SPARE)
  const move = (event: KeyboardEvent) => {
    const to = targetOf(event.key, { at: calls.findIndex(({ number }) => number === chosen), last: calls.length - 1 })
    if (to === undefined) return
    event.preventDefault()
    choose(calls[to]!.number)
    bringIntoSight(view.current!, to)
  }
  return (
    <div class="waterfall">
      <div class="above" aria-hidden="true">
        <Stairs underway={underwayOf(calls, lastMs, { endMs: axis.endMs, count: PARTS })} />
        <div class="ticks">
          {axis.ticks.map(({ share, label }) => (
            <span key={share} style={{ left: `${share * 100}%` }}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <div
        class="calls"
        role="listbox"
        aria-label="Calls of tools, in the order of their starts"
        tabIndex={0}
        aria-activedescendant={chosen === undefined ? undefined : `call-${chosen}`}
        ref={view}
        onScroll={look}
        onKeyDown={move}
      >
        <div class="all" role="presentation" style={{ height: `${calls.length * ROW}px` }}>
          <div class="rules" role="presentation">
            {axis.ticks.map(({ share }) => (
              <span key={share} style={{ left: `${share * 100}%` }} />
            ))}
          </div>
          {calls.slice(first, past).map((call, at) => (
            <Line
              key={call.number}
              call={call}
              place={first + at}
              of={calls.length}
              axis={axis}
              lastMs={lastMs}
              startedAt={startedAt}
              isChosen={call.number === chosen}
              choose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface Line {
  readonly call: Call
  readonly place: number
  readonly of: number
  readonly axis: Axis
  readonly lastMs: number
  readonly startedAt: number
  readonly isChosen: boolean
  readonly choose: (number: number) => void
}

function Line({ call, place, of, axis, lastMs, startedAt, isChosen, choose }: Line) {
  const look = lookOf(call)
  const [sign, word] = callLooks[look]
  const end = Math.max(call.startMs, call.endMs ?? lastMs)
  const took = duration(end - call.startMs)
  const said = `${call.server}.${call.tool}, ${word}, ${took}, began after ${duration(call.startMs)}`
  return (
    <div
      class={`line ${look}`}
      id={`call-${call.number}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={of}
      aria-posinset={place + 1}
      style={{ top: `${place * ROW}px` }}
      title={said}
      onClick={() => choose(call.number)}
    >
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <code class="cut">
        <span class="hidden-label">{word}: </span>
        <span class="soft">{call.server}.</span>
        {call.tool}
      </code>
      <span class="track">
        <Bars call={call} end={end} axis={axis} startedAt={startedAt} />
      </span>
      <span class="number">{took}</span>
      <span class="number soft size">{call.endMs === null ? progressOf(call) : bytes(call.bytes)}</span>
    </div>
  )
}

interface Bars {
  readonly call: Call
  readonly end: number
  readonly axis: Axis
  readonly startedAt: number
}

/** A call that a person was asked about has two parts: the wait for the answer, and the call. */
function Bars({ call, end, axis, startedAt }: Bars) {
  const { startMs, approval } = call
  const answered = approval === null ? startMs : Math.min(end, Math.max(startMs, approval.at - startedAt))
  const placed = (from: number, to: number) => ({
    left: `${(from / axis.endMs) * 100}%`,
    width: `${((to - from) / axis.endMs) * 100}%`,
  })
  return (
    <>
      {answered > startMs && <span class="asked" style={placed(startMs, answered)} />}
      <span class={`took ${call.ahead ? 'ahead' : ''}`} style={placed(answered, end)} />
    </>
  )
}

function progressOf({ progress }: Call): string {
  if (progress === null) return ''
  return progress.total === null
    ? String(progress.progress)
    : `${Math.round((progress.progress / progress.total) * 100)} %`
}

/** Enough for the widest screens. */
const PARTS = 240

/** How many calls were underway at each moment, as stairs. */
function Stairs({ underway: { most, parts } }: { readonly underway: Underway }) {
  const steps = parts.map((count, at) => `V${-count}H${at + 1}`)
  return (
    <div class="stairs">
      <span class="soft small">underway</span>
      <svg
        viewBox={`0 ${-Math.max(1, most)} ${PARTS} ${Math.max(1, most)}`}
        preserveAspectRatio="none"
        role="presentation"
      >
        <path d={`M0 0${steps.join('')}V0Z`} />
      </svg>
      <span class="soft small number">at most {most}</span>
    </div>
  )
}

export function Legend({ calls }: { readonly calls: readonly Call[] }) {
  const present = new Set(calls.map(lookOf))
  const looks = Object.entries(callLooks).filter(([look]) => present.has(look as keyof typeof callLooks))
  return (
    <ul class="legend waterfall" aria-label="How calls are drawn">
      {looks.map(([look, [sign, word]]) => (
        <li key={look} class={look}>
          <span class="sign" aria-hidden="true">
            {sign}
          </span>
          <span class="track" aria-hidden="true">
            <span class="took" />
          </span>
          {word}
        </li>
      ))}
      {calls.some(({ ahead }) => ahead) && (
        <li class="ok">
          <span class="track" aria-hidden="true">
            <span class="took ahead" />
          </span>
          read ahead
        </li>
      )}
    </ul>
  )
}

/** The place that a key leads to; undefined for other keys. */
function targetOf(key: string, { at, last }: { readonly at: number; readonly last: number }): number | undefined {
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? last : at - 1,
    PageDown: at + 15,
    PageUp: at - 15,
    Home: 0,
    End: last,
  }
  const to = targets[key]
  return to === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, to))
}

function bringIntoSight(view: HTMLElement, place: number): void {
  const top = place * ROW
  if (top < view.scrollTop) view.scrollTop = top
  if (top + ROW > view.scrollTop + view.clientHeight) view.scrollTop = top + ROW - view.clientHeight
}
