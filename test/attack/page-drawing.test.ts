// Names of servers and tools, titles and people's names that are markup, in the drawing of a run.

import { expect, it } from 'vitest'
import { drawTimeline } from '../../dist/page/timeline/index.js'

const hostile = [
  '<script>alert(1)</script>',
  '"><image href="http://evil.example/x" onload="alert(1)">',
  "' onmouseover='alert(1)",
  ']]><foreignObject><iframe src="javascript:alert(1)"/></foreignObject>',
  '</title></svg><script>alert(1)</script>',
  '&lt;script&gt;',
  '\u202Egnp.exe\u0000\ud800',
]

it('is text there, and refers to nothing outside', () => {
  const calls = hostile.map((words, i) => ({
    server: words,
    tool: words,
    state: (['ok', 'failed', 'waiting', 'denied', 'underway', 'lost', 'limit'] as const)[i]!,
    startMs: i,
    endMs: i % 2 ? i + 5 : null,
    reused: false,
    ahead: i === 0,
    line: 1,
    approval: { answer: 'once' as const, by: words, reason: words, at: 0 },
    waitedMs: 1,
    bytes: 1,
  }))
  const plain = calls.map((call) => ({ ...call, server: 's', tool: 't', approval: { ...call.approval, by: 'b' } }))
  const draw = (rows: typeof calls, title: string) => drawTimeline([{ title, calls: rows }], { label: title })
  const tags = (svg: string) => svg.match(/<\/?[\w-]+/g)
  const drawn = draw(calls, hostile.join(''))
  // The same elements and attributes as for harmless words.
  expect(tags(drawn)).toEqual(tags(draw(plain, 'x')))
  expect(drawn.replace(/>[^<]*</g, '><')).not.toMatch(/ on\w+=["']|href=["']/)
  expect(drawn).not.toMatch(/[\0\u202e]|[\ud800-\udbff](?![\udc00-\udfff])/)
})
