// Kills a process at every step of a run and resumes the run in this process: no call is made twice, and calls with an
// unknown effect are asked about.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { main, Workplace } from '../fixtures/command.js'
import { carriedOut } from '../fixtures/run-killed.mjs'
import { isLong } from '../random.js'

const entry = path.join(path.dirname(main), 'bundle', 'index.js')
const runner = path.join(import.meta.dirname, '..', 'fixtures', 'run-killed.mjs')
const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const starlark = `
stale = [issue for issue in issues.list_issues() if issue["stale"]]
for issue in stale[:2]:
    print("closing", issue["number"])
    issues.close_issue(number=issue["number"])
    print(issues.get_issue(number=issue["number"])["title"])
result = len(stale)
`
const javascript = `
const stale = (await issues.list_issues()).filter((issue) => issue.stale)
for (const { number } of stale.slice(0, 2)) {
  console.log('closing', number)
  await issues.close_issue({ number })
  console.log((await issues.get_issue({ number })).title)
}
result = stale.length
`
const whole = {
  ok: true,
  result: 3,
  logs: ['closing 4', 'Issue 4', 'closing 11', 'Issue 11'],
  code: null,
  told: expect.any(Number),
  waits: [],
}

let folders = 0

class Scene {
  readonly folder = path.join(place.folder, `scene-${++folders}`)
  readonly #code: string

  constructor(code: string) {
    this.#code = code
    mkdirSync(this.folder)
  }

  /** Where its state is, the server that counts its calls, and its program. */
  get #given(): [state: string, server: string, code: string] {
    const server = place.fixture('counted-server', { env: { COUNTED: this.folder } })
    return [path.join(this.folder, 'state'), JSON.stringify(server), this.#code]
  }

  /** Begins it in a process that kills itself as it tells this event. */
  killed(killAt: number): { readonly child: ChildProcess; readonly signal: Promise<string | null> } {
    const env = { ...process.env, KILL_AT: String(killAt) }
    const child = spawn(process.execPath, [runner, entry, ...this.#given], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return { child, signal: new Promise((resolve) => child.on('close', (_, signal) => resolve(signal))) }
  }

  /** Begins it here, or goes on with it. */
  carriedOut(): ReturnType<typeof carriedOut> {
    return carriedOut(CodeMode, this.#given)
  }

  calls(tool: string): string[] {
    const file = path.join(this.folder, 'calls')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    return lines.filter((line) => line.startsWith(tool)).map((line) => line.slice(tool.length).trim())
  }

  set holds(on: boolean) {
    const file = path.join(this.folder, 'holds')
    if (on) writeFileSync(file, '')
    else rmSync(file)
  }
}

describe.each([
  ['Starlark', starlark, 11],
  ['JavaScript', javascript, 16],
] as const)('a run in %s that is killed', (_, code, stride) => {
  it('continues in another process after any event, and makes each call that may write once', async () => {
    const first = await new Scene(code).carriedOut()
    expect(first).toEqual(whole)
    const events = first.told
    expect(events).toBeGreaterThan(15)
    // In the long form every one of them but the last: by then its end is kept, and nothing is left to go on with.
    for (let killAt = isLong ? 0 : 1; killAt < events - 1; killAt += isLong ? 1 : stride) {
      const scene = new Scene(code)
      expect(await scene.killed(killAt).signal, `killed at ${killAt}`).toBe('SIGKILL')
      // Its server may still have a call to read.
      await place.allGone()
      const then = await scene.carriedOut()
      const closed = scene.calls('close_issue')
      expect(new Set(closed).size, `killed at ${killAt}: ${closed}`).toBe(closed.length)
      // It was killed between an answer and its entry: the call is asked about and not repeated.
      if (then.waits.length > 0)
        expect(then, `killed at ${killAt}`).toMatchObject({
          code: 'unknown-outcome',
          waits: [['unknown', { number: Number(closed.at(-1)) }]],
        })
      else expect({ ...then, closed }, `killed at ${killAt}`).toEqual({ ...whole, closed: ['4', '11'] })
    }
  })

  it('asks before it repeats a call that was underway', async () => {
    const scene = new Scene(code)
    scene.holds = true
    const { child, signal } = scene.killed(Number.POSITIVE_INFINITY)
    await expect.poll(() => scene.calls('close_issue')).toEqual(['4'])
    child.kill('SIGKILL')
    expect(await signal).toBe('SIGKILL')
    await place.allGone()
    scene.holds = false
    expect(await scene.carriedOut()).toMatchObject({ code: 'unknown-outcome', waits: [['unknown', { number: 4 }]] })
    expect(scene.calls('close_issue')).toEqual(['4'])
  })
})
