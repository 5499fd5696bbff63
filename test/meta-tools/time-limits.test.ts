// A program whose time is over is told where it was, and what it had done.

import { describe, expect, it } from 'vitest'
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

async function report(
  code: string,
  limits: { readonly cpuMs: number; readonly wallMs: number },
  language: 'starlark' | 'javascript' = 'starlark',
): Promise<string[]> {
  const { report } = await bench(tools, { language, limits }).run(code)
  return report.split('\n')
}

const computing = { cpuMs: 500, wallMs: 60_000 }
const waiting = { cpuMs: 60_000, wallMs: 1_500 }

describe('the place where the time was over', () => {
  it('is that of what was computed', async () => {
    const code =
      'def spin(n):\n    rows = list(range(n))\n    while True:\n        rows = sorted(rows)\napi.rows()\nspin(20000)'
    expect(await report(code, computing)).toEqual([
      'limit [limit-cpu-ms] the program computed for more than 500 ms, not counting the time it waited for calls (limit cpuMs)',
      '  program:4:16',
      '  4 |         rows = sorted(rows)',
      '    |                ^^^^^^^^^^^^',
      '  in <toplevel> at 6:1',
      'hint: look for an endless loop, or work on less data',
      'done before this: api.rows',
    ])
  })

  it('is the call that was waited for, and no handler sees it', async () => {
    const code =
      'def wait():\n    try:\n        return api.never()\n    except Exception:\n        print("caught")\n    finally:\n        print("last")\nwait()'
    expect(await report(code, waiting)).toEqual([
      'limit [limit-wall-ms] the program ran longer than 1500 ms (limit wallMs)',
      '  program:3:16',
      '  3 |         return api.never()',
      '    |                ^^^^^^^^^^^',
      '  in <toplevel> at 8:1',
      'hint: do less in one program, or ask for a longer timeout',
      'done before this: api.never (failed)',
    ])
  })

  it('is the last call that is known, where a loop makes none', async () => {
    const program = (call: string) => `api.rows()\n${call}\n`
    const loop = 'def spin():\n    for i in range(10 ** 9):\n        pass\n'
    expect((await report(loop + program('spin()'), computing)).slice(1, -2)).toEqual([
      '  program:5:1',
      '  5 | spin()',
      '    | ^^^^^^',
    ])
    expect((await report(program('while True:\n    pass'), computing)).slice(1, -2)).toEqual([])
    const javascript = 'const spin = () => {\n  for (;;);\n}\napi.rows()\nspin()'
    expect((await report(javascript, computing, 'javascript')).slice(1, -2)).toEqual([
      '  program:5:1',
      '  5 | spin()',
      '    | ^^^^^^',
    ])
  })
})
