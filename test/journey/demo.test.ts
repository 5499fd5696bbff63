// `npm run demo` from its first line to its exit: real servers, a real program, the whole output.

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-demo-test-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

describe('npm run demo', () => {
  it('is the script of this test', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: { demo: string }
    }
    expect(scripts.demo).toBe('node examples/demo.mjs')
  })

  it('shows the tree, the program, its answer and the bill, and ends with status 0', async () => {
    const { stdout, stderr, status } = await demo({})
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(masked(stdout)).toBe(golden('demo.txt'))
    expect(stdout).toContain(golden('shop-report.txt'))
    expect(stdout).toContain(program)
    // The times in the answer have more or fewer digits, so its length is counted and not written down.
    const answer = stdout.split('The answer it gets\n──────────────────\n')[1]!.split('\n\nWhat that took\n')[0]!
    const [, , seen, written, read] = stdout
      .match(/^ +[\d,]+(?= )/gm)!
      .slice(-7, -2)
      .map((shown) => Number(shown.replace(',', '')))
    expect({ written, read, seen }).toEqual({
      written: Buffer.byteLength(program),
      read: Buffer.byteLength(answer),
      seen: Buffer.byteLength(program) + Buffer.byteLength(answer),
    })
    expect(readdirSync(temporary)).toEqual([])
  })

  it('names a server that does not start and ends with status 1', async () => {
    const { stderr, status } = await demo({ PATH: temporary })
    expect(stderr).toBe(
      ['filesystem', 'memory', 'everything']
        .map((name) => `the server ${name} did not start: there is no command node`)
        .join('\n')
        .replace(/^/, '\nThe demo failed: ')
        .concat('\n'),
    )
    expect(status).toBe(1)
    expect(readdirSync(temporary)).toEqual([])
  })
})

const program = readFileSync(path.join(root, 'examples/shop/report.star'), 'utf8')

function golden(name: string): string {
  return readFileSync(path.join(root, 'test/docs/golden', name), 'utf8')
}

/** Runs the demo to its end, in an environment that differs from ours by `changes`. */
async function demo(
  changes: Record<string, string>,
): Promise<{ stdout: string; stderr: string; status: number | null }> {
  const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1', ...changes }
  const script = path.join(root, 'examples/demo.mjs')
  const child = spawn(process.execPath, [script], { cwd: temporary, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, status }
}

/** Durations differ from run to run and with them the answer's length; servers become ready in any order. */
function masked(shown: string): string {
  const lines = shown
    .replace(/\b\d+ ms\b/g, 'N ms')
    .replace(/^ +[\d,]+ {2}(?=ms when it|ms when the|bytes a model|.*answer that it reads)/gm, '       N  ')
    .split('\n')
  const isReady = (line: string) => / ready with \d+ tools$/.test(line)
  const ready = lines.filter(isReady).sort()
  return lines.map((line) => (isReady(line) ? ready.shift() : line)).join('\n')
}
