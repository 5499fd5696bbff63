// `npm run demo` from its first line to its exit: real servers, a real program, the whole text of what it shows.

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
  it('is the script that is tested here', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: { demo: string }
    }
    expect(scripts.demo).toBe('node examples/demo.mjs')
  })

  it('shows the tree, the program, its report and the bill, and ends with status 0', { timeout: 60_000 }, async () => {
    const { stdout, stderr, status } = await demo('examples/demo.mjs')
    expect(stderr).toBe('')
    expect(masked(stdout)).toBe(readFileSync(path.join(root, 'test/docs/golden/demo.txt'), 'utf8'))
    expect(stdout).toContain(readFileSync(path.join(root, 'test/docs/golden/shop-report.txt'), 'utf8'))
    expect(status).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  })
})

async function demo(script: string): Promise<{ stdout: string; stderr: string; status: number | null }> {
  const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1' }
  const child = spawn(process.execPath, [script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, status }
}

/** Durations differ from run to run, and servers become ready in any order. */
function masked(shown: string): string {
  const lines = shown.replace(/\b\d+ ms\b/g, 'N ms').split('\n')
  const ready = lines.filter((line) => / ready with \d+ tools$/.test(line)).sort()
  return lines.map((line) => (/ ready with \d+ tools$/.test(line) ? ready.shift() : line)).join('\n')
}
