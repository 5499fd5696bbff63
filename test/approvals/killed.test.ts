// Processes that are killed at every step of a run, and other processes that go on with it: no call is made twice, and
// what nobody can know is asked.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { main, Workplace } from '../fixtures/command.js'
import { isLong } from '../random.js'

const dist = path.join(path.dirname(main), 'index.js')
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
  child: ChildProcess | undefined

  constructor() {
    mkdirSync(this.folder)
  }

  /** Undefined where the process was killed. */
  run(code: string, killAt?: number): Promise<Record<string, unknown> | undefined> {
    const server = JSON.stringify(place.fixture('counted-server', { env: { COUNTED: this.folder } }))
    const env = { ...process.env, ...(killAt === undefined ? {} : { KILL_AT: String(killAt) }) }
    const child = spawn(process.execPath, [runner, dist, path.join(this.folder, 'state'), server, code], { env })
    this.child = child
    let said = ''
    let faults = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
    return new Promise((resolve, reject) => {
      child.on('close', (status, signal) => {
        if (signal === 'SIGKILL') resolve(undefined)
        else if (status === 0) resolve(JSON.parse(said))
        else reject(new Error(faults))
      })
    })
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
  ['Starlark', starlark, 3],
  ['JavaScript', javascript, 7],
] as const)('a run in %s that is killed', (_, code, stride) => {
  it('as it tells anything goes on in another process, and calls what may write once', async () => {
    const undisturbed = new Scene()
    const first = await undisturbed.run(code)
    expect(first).toEqual(whole)
    const events = Number(first!.told)
    expect(events).toBeGreaterThan(15)
    // In the long form every one of them.
    for (let killAt = isLong ? 0 : 1; killAt < events; killAt += isLong ? 1 : stride) {
      const scene = new Scene()
      expect(await scene.run(code, killAt), `killed at ${killAt}`).toBeUndefined()
      const then = await scene.run(code)
      const closed = scene.calls('close_issue')
      expect(new Set(closed).size, `killed at ${killAt}: ${closed}`).toBe(closed.length)
      // It was killed between an answer and its entry: the call is asked about and not repeated.
      if (Array.isArray(then!.waits) && then!.waits.length > 0)
        expect(then, `killed at ${killAt}`).toMatchObject({
          code: 'unknown-outcome',
          waits: [['unknown', { number: Number(closed.at(-1)) }]],
        })
      else expect({ ...then, closed }, `killed at ${killAt}`).toEqual({ ...whole, closed: ['4', '11'] })
    }
  })

  it('while a call is underway leaves it unknown, and asks before it makes it again', async () => {
    const scene = new Scene()
    scene.holds = true
    const killed = scene.run(code)
    killed.catch(() => {})
    await expect.poll(() => scene.calls('close_issue'), { timeout: 60_000 }).toEqual(['4'])
    scene.child!.kill('SIGKILL')
    expect(await killed).toBeUndefined()
    scene.holds = false
    expect(await scene.run(code)).toMatchObject({ code: 'unknown-outcome', waits: [['unknown', { number: 4 }]] })
    expect(scene.calls('close_issue')).toEqual(['4'])
  })
})
