// The inputs of a program from the command line: arguments, options of its function main, standard input.

import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => place.remove())
place.write('starbind.json', { mcpServers: {} })
const run = (args: readonly string[], stdin = '') => starbindHere(['run', ...args], { cwd: place.folder, stdin })

place.write('argv.star', 'import sys\nresult = sys.argv')
place.write('plain.star', 'print("ran")')
place.write(
  'greet.py',
  `import sys
from typing import Literal

def main(name: str, count: int = 1, ratio: float = 0.5, loud: bool = False, no_color: bool = False,
         wait: bool = True, tags: list[str] = [], sizes: list[int] | None = None, mode: Literal["a", 'b'] = "a"):
    """Greets somebody."""
    return [name, count, ratio, loud, no_color, wait, tags, sizes, mode]
`,
)

describe('sys.argv', () => {
  it('contains the arguments after the program, including unknown options', async () => {
    const given = async (...args: string[]) => (await run(['--json', 'argv.star', ...args])).stdout
    expect(JSON.parse(await given()).result).toEqual(['argv.star'])
    expect(JSON.parse(await given('a', '--deep', '-x', 'b c')).result).toEqual([
      'argv.star',
      'a',
      '--deep',
      '-x',
      'b c',
    ])
    expect(JSON.parse(await given('a', '--timeout', '9s', '--', '--json', '--help')).result).toEqual([
      'argv.star',
      'a',
      '--json',
      '--help',
    ])
    expect((await run(['-', '--deep', '1'], 'import sys\nresult = sys.argv')).stdout).toBe(
      'result: ["-","--deep","1"]\n',
    )
    expect((await run(['-e', 'import sys\nresult = sys.argv'])).stdout).toBe('result: ["-c"]\n')
  })

  it('is refused for a program that does not use it', async () => {
    expect(await run(['plain.star', 'a', 'b'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'starbind: the program plain.star takes no arguments: a b\n' +
        'hint: a program has arguments in sys.argv (JavaScript: process.argv), or as annotated parameters of a function main that it does not call\n',
    })
    for (const args of [
      ['plain.star', '--jsn'],
      ['--jsn', 'plain.star'],
    ])
      expect(await run(args)).toEqual({
        status: 2,
        stdout: '',
        stderr:
          "starbind: unknown option '--jsn'\n(did you mean --json?)\nhint: starbind run --help shows its options and examples\n",
      })
  })
})

describe('process.argv and process.stdin of JavaScript', () => {
  const result = async (args: readonly string[], stdin = '') => {
    const { status, stdout } = await run(['--json', ...args], stdin)
    return [status, JSON.parse(stdout).result]
  }
  place.write('argv.mjs', 'const [, file, ...rest] = process.argv\nresult = { file, rest }')
  place.write(
    'read.mjs',
    "let text = ''\nfor await (const part of process.stdin) text += part\nresult = text.split('\\n')",
  )

  it('contain the arguments after the program and the piped input', async () => {
    expect(await result(['argv.mjs', 'a', '--deep', '--', '--json'])).toEqual([
      0,
      { file: 'argv.mjs', rest: ['a', '--deep', '--json'] },
    ])
    expect(await result(['read.mjs'], 'é1\n2\n3')).toEqual([0, ['é1', '2', '3']])
    expect(await result(['read.mjs'])).toEqual([0, ['']])
    expect((await starbindHere(['check', 'read.mjs'], { cwd: place.folder })).status).toBe(0)
  })

  it.each([
    ['const { argv, stdin } = process\nresult = [argv.slice(2), (await stdin.toArray()).join("")]', [[], 'x']],
    [
      'let all = ""\nprocess.stdin.setEncoding("utf8")\nprocess.stdin.on("data", (part) => { all += part })\n' +
        'process.stdin.on("end", () => { result = all.length + 1 })',
      2,
    ],
    ['result = [typeof process.env, Object.keys(globalThis.process)]', undefined],
  ])('work as in Node: %j', async (code, value) => {
    const [status, found] = await result(['--language', 'javascript', '-e', code], 'x')
    expect([status, found]).toEqual(value === undefined ? [1, null] : [0, value])
  })

  it('are empty for models, which give a program no input', async () => {
    await using codeMode = await CodeMode.open({ servers: {}, language: 'javascript' })
    for (const member of ['argv', 'stdin', 'env']) {
      const { error } = await codeMode.run(`print(process.${member})`)
      expect([member, error?.code, error?.message]).toEqual([
        member,
        'refused-name',
        expect.stringMatching(new RegExp(`^process.${member} is not available: `)),
      ])
    }
    const { result } = await codeMode.run('result = process.argv', { argv: ['f', 'a'], stdin: '' })
    expect(result).toEqual(['starbind', 'f', 'a'])
  })
})

describe('a function main with annotated parameters', () => {
  const values = async (...args: string[]) => {
    const ended = await run(['--json', 'greet.py', ...args])
    return ended.status === 0 ? JSON.parse(ended.stdout).result : ended
  }

  it('gets required parameters from words, and all parameters from options', async () => {
    expect(await values('Ada')).toEqual(['Ada', 1, 0.5, false, false, true, [], null, 'a'])
    expect(
      await values(
        ...['--count', '123456789', '--loud', '--no_color', '--no-wait', '--tags', 'x', '"; 1 // 0', '--mode', 'b'],
        ...['--sizes', '1', '--sizes', '2', '--ratio', '2', '--name', "O'Neil\n{x}"],
      ),
    ).toEqual(["O'Neil\n{x}", 123456789, 2, true, true, false, ['x', '"; 1 // 0'], [1, 2], 'b'])
  })

  it('has help', async () => {
    expect(await run(['greet.py', '--help'])).toEqual({
      status: 0,
      stdout: `Usage: starbind run greet.py [options] [name]

Greets somebody.

Options:
  --name <text>        (needed)
  --count <number>     (default: 1)
  --ratio <number>     (default: 0.5)
  --loud               (default: False)
  --no_color           (default: False)
  --no-wait            (default: True)
  --tags <text...>     (default: [])
  --sizes <number...>  (default: None)
  --mode <a|b>         (default: "a") (choices: "a", "b")
  -h, --help           print this help
`,
      stderr: '',
    })
    expect((await run(['plain.star', '--help'])).stdout).toBe((await run(['--help'])).stdout)
    expect((await run(['--help'])).stdout).toMatch(/^Usage: starbind run \[options\] \[file\] \[args\.\.\.\]\n/)
  })

  it.each([
    [[], '--name is needed'],
    [['a', 'b'], 'too many arguments: b'],
    [['a', '--count', '1.5'], "option '--count <number>' argument '1.5' is invalid. Write a whole number."],
    [['a', '--ratio', 'nan'], "option '--ratio <number>' argument 'nan' is invalid. Write a number."],
    [['a', '--mode', 'c'], "option '--mode <a|b>' argument 'c' is invalid. Allowed choices are a, b."],
    [['a', '--colour'], "unknown option '--colour'"],
  ])('is not called with %j', async (args, said) => {
    expect(await run(['greet.py', ...args])).toEqual({
      status: 2,
      stdout: '',
      stderr: `starbind: ${said}\nhint: starbind run greet.py --help shows its options\n`,
    })
  })

  it.each([
    ['calls it', 'def main(a: int = 1):\n    print(a)\nmain(2)', '2\n'],
    ['has other parameters', 'def main(a=1):\n    print(a)', ''],
    ['takes none', 'def main():\n    print("x")', ''],
    ['has a result of its own', 'result = 1\ndef main(a: int = 1):\n    pass', 'result: 1\n'],
  ])('is not called for a program that %s', async (_, code, stdout) => {
    expect(await run(['-e', code])).toMatchObject({ status: 0, stdout })
  })
})

describe('sys.stdin', () => {
  it('is the piped input', async () => {
    place.write(
      'read.star',
      'import sys\nfirst = sys.stdin.readline()\nrest = [line for line in sys.stdin]\nresult = [first, rest, sys.stdin.read(), sys.stdin.isatty()]',
    )
    const { stdout } = await run(['read.star'], 'é1\n2\n3')
    expect(stdout).toBe('result: ["é1\\n",["2\\n","3"],"",false]\n')
    const whole = await run(['-e', 'import sys\nresult = len(sys.stdin.read())'], 'x'.repeat(3_000_000))
    expect(whole.stdout).toBe('result: 3000000\n')
    expect((await run(['-'], 'import sys\nresult = sys.stdin.read()')).stdout).toBe('result: ""\n')
    expect((await starbindHere(['check', 'read.star'], { cwd: place.folder })).status).toBe(0)
  })

  it('is not read for a program that does not use it', async () => {
    expect((await run(['plain.star'], 'x')).stdout).toBe('ran\n')
  })
})
