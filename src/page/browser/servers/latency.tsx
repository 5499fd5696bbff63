// The calls of a server over the last hour: how long they took, and which minutes had failures.

import type { Server } from '../../interface.js'
import { clock, duration, plural } from '../elements/amounts.js'
import { now } from '../frame/now.js'

const MINUTES = 60
const HEIGHT = 56

export function Latency({ minutes }: Pick<Server, 'minutes'>) {
  const first = Math.floor(now.value / 60_000) - MINUTES + 1
  const most = Math.max(1, ...minutes.map(({ maxMs }) => maxMs))
  const calls = minutes.reduce((sum, minute) => sum + minute.calls, 0)
  const failures = minutes.reduce((sum, minute) => sum + minute.failures, 0)
  const said = `The last hour: ${plural(calls, 'call')}, ${failures} failed, the slowest ${duration(most)}`
  if (calls === 0) return <p class="soft small">No calls in the last hour.</p>
  return (
    <figure class="latency">
      <svg viewBox={`0 0 ${MINUTES * 10} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {minutes.map((minute) => {
          const x = (Math.floor(minute.at / 60_000) - first) * 10 + 1
          const [mean, max] = [minute.meanMs, minute.maxMs].map((ms) => Math.max(1, (ms / most) * (HEIGHT - 10)))
          return (
            <g key={minute.at}>
              <title>
                {`${clock(minute.at)}: ${plural(minute.calls, 'call')}, ${minute.failures} failed, on average ${duration(minute.meanMs)}, at most ${duration(minute.maxMs)}`}
              </title>
              <rect class="most" x={x} width="8" y={HEIGHT - max!} height={max!} />
              <rect class="mean" x={x} width="8" y={HEIGHT - mean!} height={mean!} />
              {minute.failures > 0 && <path class="failure" d={`M${x} 1h8l-4 7z`} />}
            </g>
          )
        })}
      </svg>
      <figcaption class="small soft">
        <span>an hour ago</span>
        <span>
          ■ mean, □ slowest ({duration(most)}){failures > 0 && ', ▼ failures'}
        </span>
        <span>now</span>
      </figcaption>
    </figure>
  )
}
