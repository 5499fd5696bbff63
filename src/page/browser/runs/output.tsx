// What a run printed, and its result.

import { useMemo } from 'preact/hooks'
import type { Run } from '../../interface.js'
import { duration, number } from '../elements/amounts.js'
import { ValueView } from '../elements/value-view.js'
import { answerValue } from './call-view.js'
import { isOpen } from './live-run.js'

/** Of more lines, the last ones are shown. */
const MOST_LINES = 1000

export function Output({ run }: { readonly run: Run }) {
  return (
    <div class="stack">
      <section class="panel" aria-label="Result">
        <header>
          <h2>Result</h2>
        </header>
        <div class="body">
          <Result run={run} />
        </div>
      </section>
      {run.prints.length > 0 && <Prints run={run} />}
      {run.report !== '' && (
        <details class="panel report">
          <summary>What a model reads besides</summary>
          <pre class="text">{run.report}</pre>
        </details>
      )}
    </div>
  )
}

function Result({ run }: { readonly run: Run }) {
  const { resultJson, resultText } = run
  const value = useMemo(() => (resultJson === null ? resultText : answerValue(resultJson)), [resultJson, resultText])
  if (value !== null) return <ValueView value={value} name="Result" />
  return <p class="soft">{isOpen(run) ? 'Not yet.' : run.state === 'ok' ? 'The program set no result.' : 'None.'}</p>
}

function Prints({ run: { prints } }: { readonly run: Run }) {
  const left = prints.length - MOST_LINES
  return (
    <section class="panel" aria-label="Printed">
      <header>
        <h2>Printed</h2>
        {left > 0 && <span class="small soft">{number(left)} earlier lines are not shown</span>}
      </header>
      <ol class="prints" tabIndex={0} aria-label="Printed lines">
        {prints.slice(-MOST_LINES).map(({ text, atMs }, at) => (
          <li key={at}>
            <span class="soft small number">{duration(atMs)}</span>
            <samp>{text}</samp>
          </li>
        ))}
      </ol>
    </section>
  )
}
