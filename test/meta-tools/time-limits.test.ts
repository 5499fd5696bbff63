// A program whose time is over is told where it was, and what it had done.

import { describe, expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { bench, text } from './bench.js'

const tools = {
  rows: { answers: text('three rows') },
  never: {
    answers: (_: object, signal: AbortSignal) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () => fail(new Error('given up')))
      }),
  },
}

/** The report of a run that has enough time to get as far as this line of the report says. The limit is `N ms`. */
async function report(
  code: string,
  limited: 'cpuMs' | 'wallMs',
  { line, language = 'starlark' }: { line: string; language?: 'starlark' | 'javascript' },
): Promise<string[]> {
  const plenty = { cpuMs: 300_000, wallMs: 600_000 }
  const attempt = async (ms: number) => {
    const { report } = await bench(tools, { language, limits: { ...plenty, [limited]: ms } }).run(code)
    return report.replace(`${ms} ms`, 'N ms').split('\n')
  }
  return withEnoughTime(200, attempt, (lines) => lines.includes(line))
}

describe('the place of a time limit', () => {
  it('is the place of the computation', async () => {
    const code =
      'def spin(n):\n    rows = list(range(n))\n    while True:\n        rows = sorted(rows)\napi.rows()\nspin(20000)'
    expect(await report(code, 'cpuMs', { line: '  program:4:16' })).toEqual([
      'limit [limit-cpu-ms] the program computed for more than N ms, not counting the time it waited for calls (limit cpuMs)',
      '  program:4:16',
      '  4 |         rows = sorted(rows)',
      '    |                ^^^^^^^^^^^^',
      '  in <toplevel> at 6:1',
      'hint: look for an endless loop, or work on less data',
      'done before this: api.rows',
    ])
  })

  it('is the pending call, and no handler runs', async () => {
    const code =
      'def wait():\n    try:\n        return api.never()\n    except Exception:\n        print("caught")\n    finally:\n        print("last")\nwait()'
    expect(await report(code, 'wallMs', { line: '  program:3:16' })).toEqual([
      'limit [limit-wall-ms] the program ran longer than N ms (limit wallMs)',
      '  program:3:16',
      '  3 |         return api.never()',
      '    |                ^^^^^^^^^^^',
      '  in <toplevel> at 8:1',
      'hint: do less in one program, or ask for a longer timeout',
      'done before this: api.never (failed)',
    ])
  })

  it('is the last call before a loop without calls', async () => {
    const program = (call: string) => `api.rows()\n${call}\n`
    const loop = 'def spin():\n    for i in range(10 ** 9):\n        pass\n'
    expect((await report(loop + program('spin()'), 'cpuMs', { line: '  program:5:1' })).slice(1, -2)).toEqual([
      '  program:5:1',
      '  5 | spin()',
      '    | ^^^^^^',
    ])
    const endless = await report(program('while True:\n    pass'), 'cpuMs', { line: 'done before this: api.rows' })
    expect(endless.slice(1, -2)).toEqual([])
    const javascript = 'const spin = () => {\n  for (;;);\n}\napi.rows()\nspin()'
    expect((await report(javascript, 'cpuMs', { line: '  program:5:1', language: 'javascript' })).slice(1, -2)).toEqual(
      ['  program:5:1', '  5 | spin()', '    | ^^^^^^'],
    )
  })
})
