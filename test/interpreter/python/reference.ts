// The outputs of CPython. Messages and the text of some values differ between its versions; the reference is 3.11. If
// python3 is another version, is missing, or has no time zones, tests with it are skipped.

import { spawnSync } from 'node:child_process'

export const hasPython = (): boolean =>
  spawnSync(
    'python3',
    ['-c', 'import sys, zoneinfo; zoneinfo.ZoneInfo("Europe/Berlin"); print(*sys.version_info[:2])'],
    { encoding: 'utf8' },
  ).stdout === '3 11\n'

/** Runs each program in a namespace of its own and gathers what it prints and the failure that ends it. */
const driver = `
import contextlib, io, json, sys, warnings
warnings.simplefilter("ignore")
said = []
for text in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(text, "<program>", "exec"), {"__name__": "__main__"})
        except SystemExit as e:
            if e.code not in (None, 0):
                print(f"SystemExit: {e.code}")
        except BaseException as e:
            name, message = type(e).__name__, str(e)
            print(f"{name}: {message}" if message else name)
    said.append(out.getvalue())
sys.stdout.buffer.write(json.dumps(said).encode())
`

/** The output of each program, with the last line of its failure. */
export function pythonSays(programs: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-W', 'ignore', '-c', driver], {
    encoding: 'utf8',
    input: JSON.stringify(programs),
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as string[]
}
