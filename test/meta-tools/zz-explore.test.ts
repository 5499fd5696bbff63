import { it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { openSandbox } from '/work/wt-msgs/dist/sandbox/index.js'
import { withheld } from '/work/wt-msgs/dist/diagnostics/index.js'
import { builtinWords } from '/work/wt-msgs/dist/interpreter/stages.js'
import { endsOf, MARK, programs } from '/work/wt-msgs/test/meta-tools/every-call.js'
it('x', async () => {
  const sandbox = openSandbox({ limits: { wallMs: 200_000, cpuMs: 100_000, memoryBytes: 512 * 2 ** 20, printedBytes: 16 * 2 ** 20 } as never })
  const leaks: Record<string, string> = {}, names: Record<string,string> = {}, unmarked: Record<string,string> = {}
  let n = 0
  for (const p of programs()) {
    const t = Date.now()
    const { ends, end } = await endsOf(sandbox, p)
    n += ends.length
    const label = p.split('\n').find((l) => l.startsWith('each('))?.slice(0, 60)
    console.log(label, ends.length, Date.now() - t, end.slice(0, 300))
    for (const { call, error } of ends) {
      if (!error || error.isOwn) continue
      const m = withheld(error.message, (error.values ?? []) as never, () => false) + ' | ' + withheld(error.hint ?? '', (error.hintValues ?? []) as never, () => false)
      const key = error.kind + ': ' + m.replace(/\d+/g, '9')
      if (error.values === undefined && error.kind !== 'FatalError') unmarked[error.message] ??= call
      if (MARK.test(m + error.kind)) leaks[key] ??= call + '   ' + error.message
      for (const [a, b, i, plain] of [...(error.values ?? []), ...(error.hintValues ?? [])])
        if (i === '*' && typeof plain === 'string' && !MARK.test(plain) && !builtinWords().has(plain)) names[plain] ??= call + '   ' + error.message
    }
  }
  writeFileSync('/tmp/leaks.json', JSON.stringify({ n, leaks, names, unmarked }, null, 1))
  await sandbox.close()
}, 900_000)
