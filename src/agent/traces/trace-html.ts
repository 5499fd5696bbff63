// A conversation as a page that needs nothing else: no script, no style sheet, no picture from anywhere.
// Invariant: every text of a person, a model or a tool is escaped, a picture is one of pixels, in the page itself; the
// page's own policy forbids scripts and requests.

import type { AgentTrace } from './kept-trace.js'
import { figuresText } from './trace-figures.js'
import { type TracePart, traceParts } from './trace-parts.js'

/** Longer texts are folded. */
const LONG = 2_000

/**
 * A conversation as a whole HTML page, to look at or to send to somebody.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { CodeMode } from 'starbind'
 * import { showTrace, traceHtml } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * writeFileSync('trace.html', traceHtml(await showTrace(codeMode, 'agent-1f2e3d4c5b')))
 */
export function traceHtml(trace: AgentTrace): string {
  const { traceId, startedAt, why, usage } = trace
  const models = Object.keys(usage).join(', ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(traceId)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(traceId)}</h1>
<p>${escaped(models)} · ${new Date(startedAt).toISOString()} · ${escaped(why)}</p>
${traceParts(trace).map(partHtml).join('\n')}
<footer>${escaped(figuresText(usage))}</footer>
</body>
</html>
`
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.2rem; }
section { border-left: 4px solid gray; margin: 1rem 0; padding: 0.2rem 1rem; }
h2 { font-size: 0.8rem; margin: 0.3rem 0; color: gray; }
pre { font: 0.85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.3rem 0; }
.user { border-color: #2a7ae2; }
.assistant { border-color: #2a9d4a; }
.call { border-color: #b8860b; }
.failure { border-color: #c0392b; }
footer, .gap, .reasoning { color: gray; }
img { max-width: 100%; max-height: 30rem; }
`

/** Pictures of pixels alone: an SVG is a document. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
/** Of one picture, in characters. */
const MOST_PICTURE = 5_000_000

function pictureHtml(address: string): string {
  if (address.length > MOST_PICTURE || !PICTURE.test(address)) return ''
  return `<img alt="a picture" src="${address}">`
}

function partHtml({ kind, title, text, pictures = [] }: TracePart): string {
  const content = `<pre>${escaped(text)}</pre>`
  const folded = `<details><summary>${text.length.toLocaleString('en')} characters</summary>${content}</details>`
  return `<section class="${kind}"><h2>${escaped(title)}</h2>${text.length > LONG ? folded : content}${pictures.map(pictureHtml).join('')}</section>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters have no meaning in HTML. */
function escaped(text: string): string {
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '\ufffd').replace(/[&<>"']/g, (one) => ENTITIES[one]!)
}
