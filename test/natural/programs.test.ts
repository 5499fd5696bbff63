// Programs as strong models write them, by somebody who had read nothing of this project, for servers of public
// catalogues. Each must print what CPython or Node prints and leave the same result. CPython's output is stored in
// programs/*.out; the long form compares it with python3 if that is 3.11, and UPDATE_GOLDENS=1 rewrites it. Node runs each time.

import { execFileSync } from 'node:child_process'
import { Console } from 'node:console'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { hasPython } from '../interpreter/python/reference.js'
import { isLong } from '../random.js'
import { type FakeServers, folder, type NaturalProgram, programs, replyOf, runNatural } from './servers.js'

/** The output of a program, and its result. */
interface Said {
  readonly printed: string
  readonly result: unknown
}

async function saidHere(program: NaturalProgram): Promise<Said> {
  const run = await runNatural(program)
  if (!run.ok) throw new Error(run.report)
  return { printed: run.logs.join('\n').trimEnd(), result: JSON.parse(run.resultJson ?? 'null') }
}

/** The programs that are refused by design, with the refused feature. */
const refused: Readonly<Record<string, string>> = {
  'py-089': 'not-supported: a metaclass is not supported',
}

describe('in Python', () => {
  const all = programs('py')
  const names = all.map(({ name }) => name)
  const goldenOf = (name: string): string => path.join(folder, `${name}.out`)
  const pythonSays = (): Record<string, [printed: string, result: string]> => {
    const oracle = path.join(import.meta.dirname, 'python-oracle.py')
    const options = { encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, TZ: 'UTC' } } as const
    return JSON.parse(execFileSync('python3', ['-W', 'ignore', oracle, folder, ...names], options))
  }
  if (process.env.UPDATE_GOLDENS === '1' && hasPython())
    for (const [name, [printed, result]] of Object.entries(pythonSays()))
      writeFileSync(goldenOf(name), `${printed.trimEnd()}\n${result}\n`)
  const golden = (name: string): [printed: string, result: string] => {
    const lines = readFileSync(goldenOf(name), 'utf8').trimEnd().split('\n')
    return [lines.slice(0, -1).join('\n'), lines.at(-1)!]
  }

  it.each(all)('$name', async (program) => {
    const refusal = refused[program.name]
    if (refusal !== undefined) {
      const { error } = await runNatural(program)
      expect(`${error?.code}: ${error?.message}`).toBe(refusal)
      return
    }
    const [printed, result] = golden(program.name)
    expect(await saidHere(program)).toEqual({ printed, result: JSON.parse(result) })
  })

  it.skipIf(!isLong || !hasPython())('is the output of python3 (in the long form, if python3 is 3.11)', () => {
    const said = pythonSays()
    expect(Object.fromEntries(names.map((name) => [name, golden(name)]))).toEqual(
      Object.fromEntries(names.map((name) => [name, [said[name]![0].trimEnd(), said[name]![1]]])),
    )
  })
})

describe('in JavaScript', () => {
  it.each(programs('js'))('$name', async (program) => {
    expect(await saidHere(program)).toEqual(await nodeSays(program))
  })
})

/** Runs a program in this process. */
async function nodeSays({ text, servers }: NaturalProgram): Promise<Said> {
  const pieces: string[] = []
  const stdout = new Writable({
    write: (chunk, _, done) => {
      pieces.push(String(chunk))
      done()
    },
  })
  const globals: Record<string, unknown> = { console: new Console({ stdout, colorMode: false }), ...callable(servers) }
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<unknown>
  const body = `${text}\n;return typeof result === 'undefined' ? undefined : result`
  const value = await new AsyncFunction(...Object.keys(globals), `'use strict';${body}`)(...Object.values(globals))
  return { printed: pieces.join('').trimEnd(), result: JSON.parse(JSON.stringify(value ?? null)) }
}

function callable(servers: FakeServers): Record<string, object> {
  return Object.fromEntries(
    Object.entries(servers).map(([server, tools]) => [
      server,
      Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [
          name.replaceAll('-', '_'),
          (given: object = {}) => {
            const { error, text, json, value } = replyOf(tool, JSON.parse(JSON.stringify(given)) as object)
            if (error !== undefined) throw new Error(error)
            return text ?? (json === undefined ? (value ?? null) : (JSON.parse(json) as unknown))
          },
        ]),
      ),
    ]),
  )
}
