// The model's view of calls of a real server's tools, for every kind of content and for every failure of an answer.

import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, type ServerEntry } from '../../dist/index.js'

const script = fileURLToPath(new URL('../fixtures/plain-server.mjs', import.meta.url))
const plain: ServerEntry = {
  command: process.execPath,
  args: [script],
  // Longer than the limit of a run.
  maxBytes: 80 * 2 ** 20,
  tools: { late: { timeoutMs: 200 }, slow: { timeoutMs: 30_000 } },
}
let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ servers: { plain } })
})
afterAll(() => codeMode.close())

async function answerOf(code: string): Promise<string> {
  const { text } = await codeMode.executeToolCode({ code })
  return text
    .replace(/\d+ ms/g, 'N ms')
    .replace(/run-\d+/, 'RUN')
    .replace(/[0-9a-f]{64}/g, 'SHA256')
}

describe('content', () => {
  it.each([
    [
      'audio',
      "dict {'type': 'audio', 'name': 'plain.audio-audio.mp3', 'mimeType': 'audio/mpeg', 'bytes': 8, 'sha256': 'SHA256', 'path': 'results/plain.audio-audio.mp3'}",
      '12 bytes',
    ],
    [
      'image',
      "dict {'type': 'image', 'name': 'plain.image-image.png', 'mimeType': 'image/png', 'bytes': 9, 'sha256': 'SHA256', 'path': 'results/plain.image-image.png'}",
      '12 bytes',
    ],
    [
      'resource_text',
      "dict {'type': 'resource', 'uri': 'memo://1', 'name': 'plain.resource_text-resource.md', 'mimeType': 'text/markdown', 'bytes': 7, 'sha256': 'SHA256', 'path': 'results/plain.resource_text-resource.md', 'text': '# Memo\\n'}",
      '7 bytes',
    ],
    [
      'resource_blob',
      "dict {'type': 'resource', 'uri': 'scan://7', 'name': 'plain.resource_blob-resource.pdf', 'mimeType': 'application/pdf', 'bytes': 8, 'sha256': 'SHA256', 'path': 'results/plain.resource_blob-resource.pdf'}",
      '12 bytes',
    ],
    [
      'resource_link',
      "dict {'type': 'resource_link', 'uri': 'file:///report.csv', 'name': 'report', 'mimeType': 'text/csv', 'size': 120}",
      '100 bytes',
    ],
    ['texts', 'str first\n{"second": 2.0}\nthird', '25 bytes'],
    ['data_texts', "list [{'n': 1}, {'n': 2.0}]", '18 bytes'],
    [
      'mixed',
      "list ['look:', {'type': 'image', 'name': 'plain.mixed-image.png', 'mimeType': 'image/png', 'bytes': 9, 'sha256': 'SHA256', 'path': 'results/plain.mixed-image.png'}]",
      '17 bytes',
    ],
    ['nothing', 'NoneType None', '0 bytes'],
    ['unknown_block', "dict {'type': 'hologram', 'depth': 3}", '29 bytes'],
    // The text contradicts the structured content, which counts; its numbers have the types of the schema.
    ['contradicting_text', "dict {'total': 120.0, 'count': 3}", '24 bytes'],
    ['repeated', "dict {'total': 120.0, 'count': 3}", '25 bytes'],
  ])('%s', async (tool, shown, bytes) => {
    const code = `x = plain.${tool}()\nprint(type(x).__name__, x)`
    expect(await answerOf(code)).toBe(`${shown}\ncalled plain.${tool} ×1: N ms, ${bytes}`)
  })

  it('that is stored can be read: text as text, everything else by its size', async () => {
    await answerOf('plain.resource_text()\nplain.audio()')
    const read = async (fileName: string) => (await codeMode.readToolFile({ fileName })).text
    expect(await read('results/plain.resource_text-resource.md')).toContain('# Memo')
    expect(await read('results/plain.audio-audio.mp3')).toBe('[results/plain.audio-audio.mp3: audio/mpeg, 8 bytes]')
  })
})

describe('an answer with a fault', () => {
  it('that violates its own schema is delivered with a note that quotes none of its values', async () => {
    expect(await answerOf('x = plain.wrong_schema()\nresult = x.get("amount")')).toBe(
      'result: 3\ncalled plain.wrong_schema ×1: N ms, 27 bytes\nnote: plain.wrong_schema answered against its own output schema ' +
        '(a key is missing; total is not float); its answer was delivered as it came',
    )
  })

  it('after garbage on the wire is still delivered', async () => {
    expect(await answerOf('result = plain.garbage()')).toBe(
      'result: "after garbage"\ncalled plain.garbage ×1: N ms, 13 bytes',
    )
  })

  it('that is not a tool result is a catchable failure', async () => {
    expect(await answerOf('plain.not_a_result()')).toBe(
      `tool error [answer-malformed] plain.not_a_result answered with something that is not a tool result (content is not a list); it may have taken effect
  program:1:1
  1 | plain.not_a_result()
    | ^^^^^^^^^^^^^^^^^^^^
done before this: plain.not_a_result (failed)`,
    )
    expect(
      await answerOf('try:\n    plain.not_a_result()\nexcept ToolError as e:\n    print(e.server, e.tool, e.code)'),
    ).toBe('plain not_a_result answer-malformed\ncalled plain.not_a_result ×1, 1 failed: N ms, 0 bytes')
  })

  it('that is slow but in time is delivered', async () => {
    expect(await answerOf('result = plain.slow()')).toBe(
      'result: "slow but there"\ncalled plain.slow ×1: N ms, 14 bytes',
    )
  })

  it('that comes too late is a failure and does not disturb later calls', async () => {
    expect(await answerOf('plain.late()')).toBe(
      `tool error [tool-timeout] plain.late gave no answer within N ms; it may have taken effect
  program:1:1
  1 | plain.late()
    | ^^^^^^^^^^^^
done before this: plain.late (failed)`,
    )
    // When this answer arrives, the late one has arrived too.
    expect(await answerOf('result = plain.release()')).toBe(
      'result: "released"\ncalled plain.release ×1: N ms, 8 bytes',
    )
  })

  it('that is huge is a limit and names its size', async () => {
    expect(await answerOf('plain.huge()')).toBe(
      `limit [response-bytes] the answer of plain.huge has 17000000 bytes; the limit is 16777216
  program:1:1
  1 | plain.huge()
    | ^^^^^^^^^^^^
hint: ask for less: a filter, a page or a range
done before this: plain.huge (failed)`,
    )
  })

  it('that never comes because the server crashed is a failure, and the next call reaches a new one', async () => {
    const pid = (await codeMode.run('result = plain.pid()')).result
    expect(await answerOf('plain.pid()\nplain.crash()')).toBe(
      `tool error [server-lost] the connection to plain was lost before crash answered; it may have taken effect
  program:2:1
  2 | plain.crash()
    | ^^^^^^^^^^^^^
done before this: plain.pid, plain.crash (failed)
retry: reuse="RUN" takes the results of these calls instead of repeating them`,
    )
    const next = (await codeMode.run('result = plain.pid()')).result
    expect(next).toMatch(/^\d+$/)
    expect(next).not.toBe(pid)
  })

  it('can be caught: after a crash, the program continues with the new connection', async () => {
    const code = `
before = plain.pid()
attempt = plain.crash.safe()
print(attempt.ok, attempt.error)
print(plain.pid() != before)`
    expect((await answerOf(code)).split('\n').slice(0, 2)).toEqual([
      'False the connection to plain was lost before crash answered; it may have taken effect',
      'True',
    ])
  })
})

describe('settings of a server', () => {
  const kind = async (name: string) => (await codeMode.run(`result = type(${name}.echo(a=1)).__name__`)).result

  it('apply to servers that are added and updated later', async () => {
    await codeMode.servers.add('later', { ...plain, results: 'text' })
    expect(await kind('later')).toBe('str')
    await codeMode.servers.update('later', { ...plain, results: 'json', tools: { late: { timeoutMs: 150 } } })
    expect(await kind('later')).toBe('dict')
    expect((await codeMode.run('later.late()')).error?.message).toBe(
      'later.late gave no answer within 150 ms; it may have taken effect',
    )
    await codeMode.servers.update('later', {
      ...plain,
      tools: { late: { timeoutMs: 30_000 }, echo: { results: 'text' } },
    })
    expect((await codeMode.run('later.release()\nresult = later.late()')).result).toBe('too late')
    expect(await kind('later')).toBe('str')
    await codeMode.servers.remove('later')
    await vi.waitFor(() => expect(codeMode.servers.status().map(({ name }) => name)).toEqual(['plain']), {
      timeout: 120_000,
    })
  })
})
