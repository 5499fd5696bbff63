// The clock and randomness that a person may allow to programs: the start of their run, and random numbers from a seed.
// Both are recorded, so that the same program gives the same result again.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Conversation } from '../../dist/command-line/repl/conversation.js'
import { CodeMode, type ProgramOptions } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => place.remove())
const now = Date.UTC(2026, 0, 31, 12, 30, 15, 250)
let called = 0
const inProcess = {
  get_day: {
    call: () => {
      called++
      return 'Monday'
    },
  },
}

const usual = await CodeMode.open({ warm: false })
afterAll(() => usual.close())

async function resultOf(code: string, options: ProgramOptions = {}, codeMode = usual): Promise<unknown> {
  const run = await codeMode.run(code, options)
  return run.ok ? run.result : run.error.message
}

describe('the moment of a run', () => {
  it.each<[code: string, result: unknown]>([
    ['import time\nresult = [time.time(), time.time_ns()]', [now / 1000, now * 1e6]],
    [
      'from datetime import datetime, timezone, timedelta\nresult = [datetime.now(), datetime.now(timezone.utc), datetime.now(tz=timezone(timedelta(hours=2))), datetime.utcnow(), datetime.today()]',
      [
        '2026-01-31T12:30:15.250000',
        '2026-01-31T12:30:15.250000+00:00',
        '2026-01-31T14:30:15.250000+02:00',
        '2026-01-31T12:30:15.250000',
        '2026-01-31T12:30:15.250000',
      ],
    ],
    ['from datetime import date\nresult = [date.today(), type(date.today()).__name__]', ['2026-01-31', 'date']],
    [
      'import time\nresult = [time.strftime("%Y-%m-%d %H:%M"), time.gmtime().tm_year, time.localtime().tm_yday, time.ctime(), time.asctime()]',
      ['2026-01-31 12:30', 2026, 31, 'Sat Jan 31 12:30:15 2026', 'Sat Jan 31 12:30:15 2026'],
    ],
    [
      'from email.utils import formatdate, localtime\nresult = [formatdate(), formatdate(usegmt=True), localtime()]',
      ['Sat, 31 Jan 2026 12:30:15 -0000', 'Sat, 31 Jan 2026 12:30:15 GMT', '2026-01-31T12:30:15.250000+00:00'],
    ],
  ])('is what Python’s functions return: %j', async (code, result) => {
    expect(await resultOf(code, { now })).toEqual(result)
  })

  it('is the time in JavaScript', async () => {
    const code =
      'class Later extends Date {}\nreturn [Date.now(), new Date().toISOString(), Date(), new Date(0).getTime(), new Later().getTime(), new Intl.DateTimeFormat("en-US").format(), new Date() instanceof Date, Date.UTC(2020, 0), new Date().constructor === Date]'
    expect(await resultOf(code, { now, language: 'javascript' })).toEqual([
      now,
      '2026-01-31T12:30:15.250Z',
      'Sat Jan 31 2026 12:30:15 GMT+0000 (Coordinated Universal Time)',
      0,
      now,
      '1/31/2026',
      true,
      Date.UTC(2020, 0),
      true,
    ])
  })

  it('moves only with the program’s own sleep', async () => {
    const code =
      'import time\na = time.time()\nfor _ in range(100000): pass\ntime.perf_counter()\nb = time.time()\ntime.sleep(90)\nresult = [b - a, round(time.time() - a, 3), time.strftime("%H:%M:%S")]'
    expect(await resultOf(code, { now })).toEqual([0, 90, '12:31:45'])
    const script =
      'const a = Date.now()\nperformance.now()\nawait new Promise((r) => setTimeout(r, 90_000))\nreturn [Date.now() - a, new Date().toISOString()]'
    expect(await resultOf(script, { now, language: 'javascript' })).toEqual([90_000, '2026-01-31T12:31:45.250Z'])
  })

  it('is the moment of its request, and recorded', async () => {
    await using codeMode = await CodeMode.open({ warm: false, clock: 'run' })
    const before = Date.now()
    const run = await codeMode.run('import time\nresult = round(time.time() * 1000)')
    expect(run.result).toBe(run.now)
    expect(run.now).toBeGreaterThanOrEqual(before)
    expect(run.now).toBeLessThanOrEqual(Date.now())
    expect(run.seed).toBe(undefined)
    expect((await codeMode.run('import time\nresult = round(time.time() * 1000)', { now: run.now! })).result).toBe(
      run.now,
    )
  })
})

describe('chance', () => {
  const python =
    'import random, uuid, secrets, os\nresult = [random.random(), random.randint(1, 10**12), random.Random().random(), random.SystemRandom().random(), str(uuid.uuid4()), secrets.token_hex(), secrets.token_urlsafe(5), secrets.randbelow(10**30), secrets.randbits(70), secrets.choice("abcdefgh"), os.urandom(6).hex()]'
  const script =
    'return [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint32Array(4))].join(" ")]'

  it.each([
    ['starlark', python],
    ['javascript', script],
  ] as const)('follows from the seed: %s', async (language, code) => {
    const first = await resultOf(code, { seed: 12, language })
    expect(await resultOf(code, { seed: 12, language })).toEqual(first)
    const second = (await resultOf(code, { seed: 13, language })) as unknown[]
    expect((first as unknown[]).filter((drawn, i) => drawn === second[i] && String(drawn).length > 1)).toEqual([])
  })

  it('has the functions of Python’s module', async () => {
    const code =
      'import uuid, secrets, random\nu = uuid.uuid4()\nresult = [u.version, u.variant, len(secrets.token_hex(3)), len(secrets.token_bytes()), secrets.randbelow(1), secrets.compare_digest("a", "a"), 0 <= random.random() < 1]'
    expect(await resultOf(code, { seed: 1 })).toEqual([4, 'specified in RFC 4122', 6, 32, 0, true, true])
    expect(await resultOf('return crypto.randomUUID()', { seed: 1, language: 'javascript' })).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
  })

  it('is uniform', async () => {
    const python = 'import random\nd = [0] * 10\nfor _ in range(20000): d[int(random.random() * 10)] += 1\nresult = d'
    const script =
      'const d = Array(10).fill(0)\nfor (let i = 0; i < 20000; i++) d[Math.floor(Math.random() * 10)]++\nreturn d'
    for (const [language, code] of [
      ['starlark', python],
      ['javascript', script],
    ] as const) {
      const counts = (await resultOf(code, { seed: 99, language })) as number[]
      // Of 20,000 draws each tenth takes 2,000, give or take five standard deviations.
      expect(counts.filter((count) => Math.abs(count - 2_000) > 5 * Math.sqrt(1_800))).toEqual([])
    }
  })

  it('is new for each run, and recorded', async () => {
    await using codeMode = await CodeMode.open({ warm: false, random: 'seeded' })
    const code = 'import random\nresult = random.random()'
    const runs = [await codeMode.run(code), await codeMode.run(code)]
    expect(runs[0]!.result).not.toBe(runs[1]!.result)
    expect((await codeMode.run(code, { seed: runs[0]!.seed! })).result).toBe(runs[0]!.result)
    expect(runs[0]!.now).toBe(undefined)
  })

  it("leaves the program's own seed alone", async () => {
    const code = 'import random\nrandom.seed(42)\nresult = random.random()'
    expect(await resultOf(code, { seed: 3 })).toBe(0.6394267984578837)
  })
})

describe('permission', () => {
  const day = 'from datetime import date\nresult = str(date.today())'
  const chance = 'import uuid\nresult = len(str(uuid.uuid4()))'
  const refusedDay = 'datetime.date.today is not available: programs have no clock'
  const refusedChance = 'uuid.uuid4 is not available: programs are deterministic'

  it('is not given by default', async () => {
    expect(await resultOf(day)).toBe(refusedDay)
    expect(await resultOf(chance)).toBe(refusedChance)
    const computed =
      'import datetime, time\nresult = []\nfor f in [getattr(datetime.date, "to" + "day"), getattr(time, "ti" + "me")]:\n    try:\n        f()\n    except RuntimeError as e:\n        result.append(str(e))'
    expect(await resultOf(computed)).toEqual([
      'date.today() is not available: programs have no clock',
      'time.time() is not available: programs have no clock',
    ])
    const script = 'return [typeof crypto, typeof Math["ran" + "dom"], typeof Date["no" + "w"]]'
    expect(await resultOf(script, { language: 'javascript' })).toEqual(['undefined', 'undefined', 'undefined'])
  })

  it('is given for each of the two separately', async () => {
    for (const [open, code, refused] of [
      [{ clock: 'run' }, chance, refusedChance],
      [{ random: 'seeded' }, day, refusedDay],
    ] as const) {
      await using codeMode = await CodeMode.open({ warm: false, ...open })
      expect(await resultOf(code, {}, codeMode)).toBe(refused)
    }
    expect(await resultOf(chance, { now })).toBe(refusedChance)
  })

  it('is never given in strict Starlark', async () => {
    expect(await resultOf('result = 1', { strict: true, now, seed: 1 })).toBe(1)
    await using codeMode = await CodeMode.open({ warm: false, strict: true, clock: 'run', random: 'seeded' })
    const { now: told, seed } = await codeMode.run('result = 1')
    expect([told, seed]).toEqual([undefined, undefined])
    expect((await codeMode.run('return Date.now()', { language: 'javascript' })).error?.code).toBe('refused-name')
  })

  it('can be set for a session', async () => {
    await using codeMode = await CodeMode.open({ warm: false, clock: 'run' })
    const without = codeMode.session({ clock: 'none', random: 'seeded' })
    expect((await without.run(day)).error?.message).toBe(refusedDay)
    expect((await without.run(chance)).result).toBe(36)
    expect((await without.session({ clock: 'run' }).run(day)).ok).toBe(true)
    expect((await without.check(day)).ok).toBe(false)
    expect((await codeMode.check(day)).ok).toBe(true)
    expect((await codeMode.executeToolCode({ code: day })).isError).toBe(false)
  })

  it('can be set for a key', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'starbind-'))
    const keysFile = path.join(folder, 'keys.json')
    const { addKey, readKeys } = await import('../../dist/index.js')
    addKey(keysFile, 'dated', { clock: 'run', random: 'seeded' })
    const [{ sha256: _, created: __, ...terms }] = readKeys(keysFile) as [ReturnType<typeof readKeys>[0]]
    expect(terms).toEqual({ name: 'dated', clock: 'run', random: 'seeded' })
    const session = usual.accept({ clientName: 'x', headers: {}, ...terms })
    expect((await session.call('executeToolCode', { code: day })).isError).toBe(false)
    const other = usual.accept({ clientName: 'x', headers: {}, name: 'plain' })
    expect((await other.call('executeToolCode', { code: day })).isError).toBe(true)
    rmSync(folder, { recursive: true })
  })

  it('has no other values', async () => {
    await expect(CodeMode.open({ clock: 'wall' as never })).rejects.toThrow(
      'CodeMode.open: clock: got "wall", want "none" or "run"',
    )
    await expect(usual.run('', { now: 1.5 })).rejects.toThrow('run: now: got 1.5, want whole milliseconds since 1970')
    await expect(usual.run('', { now: 1e15 })).rejects.toThrow(
      'run: now: got 1000000000000000, want a moment up to the year 9999',
    )
    await expect(usual.run('', { seed: -1 })).rejects.toThrow('run: seed: got -1, want a whole number of at least 0')
  })
})

describe('a reused run', () => {
  it('passes its moment and seed on', async () => {
    await using codeMode = await CodeMode.open({
      warm: false,
      clock: 'run',
      random: 'seeded',
      servers: { week: { inProcess } },
    })
    const head = 'import time, uuid\nstamp = [time.time(), str(uuid.uuid4())]\nweek.get_day()\n'
    const failed = await codeMode.run(`${head}1 // 0`)
    const before = called
    const again = await codeMode.run(`${head}result = stamp`, { reuse: failed.runId })
    expect([again.now, again.seed, called]).toEqual([failed.now, failed.seed, before])
    expect(again.result).toEqual(
      (await codeMode.run(`${head}result = stamp`, { now: failed.now!, seed: failed.seed! })).result,
    )
  })

  it('is what each entry of the prompt starts from', async () => {
    await using codeMode = await CodeMode.open({ warm: false, clock: 'run', random: 'seeded' })
    const talk = new Conversation(codeMode, { language: 'starlark' })
    const options = { onEvent: () => {}, onApproval: undefined, signal: AbortSignal.timeout(60_000) }
    const say = async (entry: string) => (await talk.run(entry, options)).result
    const drawn = await say('import random\nx = random.random()\nx')
    expect(drawn).toEqual(expect.any(Number))
    expect(await say('x')).toBe(drawn)
  })
})

describe('starbind run', () => {
  it('accepts --clock, --random, --now and --seed', async () => {
    const options = { cwd: place.folder }
    const code = 'import time, random\nprint(time.strftime("%F %T"), 0 <= random.random() < 1)'
    const ended = await starbindHere(['run', '-e', code, '--clock', 'run', '--random', 'seeded'], options)
    expect(ended).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d True\n$/),
      stderr: '',
    })
    const fixed = ['run', '-e', 'import time, random\nresult = [time.time(), random.random()]', '--json']
    const given = ['--now', '2026-01-31T12:30:15.250Z', '--seed', '8']
    const [first, second] = [
      await starbindHere([...fixed, ...given], options),
      await starbindHere([...fixed, ...given], options),
    ]
    const { result, now: told, seed } = JSON.parse(first.stdout)
    expect([result[0], told, seed]).toEqual([now / 1000, now, 8])
    expect(JSON.parse(second.stdout).result).toEqual(result)
  })

  it('reads them from the configuration and the environment', async () => {
    writeFileSync(path.join(place.folder, 'starbind.json'), JSON.stringify({ codeMode: { clock: 'run' } }))
    const code = 'from datetime import date\nresult = date.today().year > 2000'
    expect((await starbindHere(['run', '-e', code], { cwd: place.folder })).stdout).toBe('result: true\n')
    expect((await starbindHere(['run', '-e', code, '--clock', 'none'], { cwd: place.folder })).status).toBe(1)
    expect(JSON.parse(readFileSync(path.join(place.folder, 'starbind.json'), 'utf8'))).toEqual({
      codeMode: { clock: 'run' },
    })
    rmSync(path.join(place.folder, 'starbind.json'))
    const env = { STARBIND_CLOCK: 'run' }
    expect((await starbindHere(['run', '-e', code], { cwd: place.folder, env })).stdout).toBe('result: true\n')
  })
})
