// A run as a page that needs nothing else: no script, no style sheet, no picture from anywhere.
// Invariant: every text of a program, a server or a person is escaped; the page's own policy forbids scripts and
// requests.

import type { Run } from './interface.js'
import { drawTimeline, escaped, timeText } from './timeline/index.js'

const MOST_LINES = 5000

export function runHtml(run: Run): string {
  const { runId, owner, state, firstLine, startedAt, endedAt, error, timeline } = run
  const endMs = endedAt === null ? undefined : endedAt - startedAt
  const drawing = drawTimeline([{ title: firstLine, calls: timeline, endMs }], {
    label: `The calls of ${runId} over time`,
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(runId)}</title>
<style>${STYLES}</style>
</head>
<body>
<h1>${escaped(runId)}</h1>
<p>${escaped(owner)} · ${new Date(startedAt).toISOString()} · ${escaped(state)}${endMs === undefined ? '' : ` · ${timeText(endMs)}`}</p>
${timeline.length === 0 ? '' : drawing}
${section('Program', listing(run.program, error?.line ?? null))}
${section('Output', text(run.prints.map((one) => one.text).join('\n')))}
${section('Result', text(run.resultText ?? ''))}
${section(error === null ? 'Report' : 'Failure', text(run.report))}
<footer>${figures(run)}</footer>
</body>
</html>
`
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<h2>${title}</h2>\n${content}`
}

function text(content: string): string {
  return content === '' ? '' : `<pre>${escaped(content)}</pre>`
}

/** The lines of a program with their numbers; the one with the mistake is marked. */
function listing(program: string, wrong: number | null): string {
  const lines = program.split('\n', MOST_LINES).map((line, i) => {
    const row = `<span class="number">${i + 1}</span> ${escaped(line)}`
    return i + 1 === wrong ? `<mark>${row}</mark>` : row
  })
  return `<pre>${lines.join('\n')}</pre>`
}

function figures({ calls, failures, bytes, seenBytes, tokens }: Run): string {
  const failed = failures === 0 ? '' : `, ${failures} failed`
  return `${calls} calls${failed} · ${bytes} bytes went through, a model saw ${seenBytes} · about ${tokens.direct} tokens as direct calls, ${tokens.seen} as a program`
}

const STYLES = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.2rem; }
h2 { font-size: 0.9rem; color: gray; }
pre { font: 0.85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.number { display: inline-block; min-width: 2.5em; color: gray; text-align: right; }
svg { max-width: 100%; }
footer { color: gray; }
`
