// The package in TypeScript: the packages of its types, and the compiler's messages for right and wrong use.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import {
  type Answer,
  CodeMode,
  type MetaToolName,
  type RunResult,
  type Session,
  type ToolBinding,
} from '../../dist/index.js'

const dist = process.env.TESTED_DIST ?? path.resolve(import.meta.dirname, '../../dist')

/** The packages that the declarations of a file name, and those of the files that it leads to. */
function packagesOf(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return []
  seen.add(entry)
  const text = readFileSync(entry, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
  const named = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!)
  return named.flatMap((name) =>
    name.startsWith('.') ? packagesOf(path.join(path.dirname(entry), name.replace(/\.js$/, '.d.ts')), seen) : [name],
  )
}

it('public declarations name no type of the MCP SDK, a provider or the engine', () => {
  const entries = [
    'index.d.ts',
    ...readdirSync(path.join(dist, 'hosts'))
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => `hosts/${name}`),
  ]
  const packages = entries.flatMap((entry) => packagesOf(path.join(dist, entry)))
  // What is left is Node's own or made for being in the types of libraries: schemas, and the interface of tracers.
  const known = /^(node:.*|zod(\/.*)?|@opentelemetry\/api)$/
  expect([...new Set(packages)].filter((name) => !known.test(name))).toEqual([])
})

it('a CodeMode and a session have the same interface', () => {
  expectTypeOf<CodeMode>().toExtend<Session>()
  expectTypeOf<Session['listToolFiles']>().returns.resolves.toEqualTypeOf<Answer>()
  expectTypeOf<Session['call']>().parameter(1).toEqualTypeOf<string | Readonly<Record<string, unknown>>>()
  expectTypeOf<ReturnType<Session['bindings']>[number]['tools'][number]>().toEqualTypeOf<ToolBinding>()
})

it('definitions have the shape of their format', () => {
  const definitions = (codeMode: CodeMode) => codeMode.tools('openai')
  expectTypeOf(definitions)
    .returns.items.toHaveProperty('function')
    .toHaveProperty('name')
    .toEqualTypeOf<MetaToolName>()
  // @ts-expect-error there is no such format
  expectTypeOf((codeMode: CodeMode) => codeMode.tools('opneai')).toBeFunction()
})

it('a run has a result exactly if it succeeded', () => {
  const use = (run: RunResult<{ total: number }>) => {
    if (run.ok) {
      expectTypeOf(run.result).toEqualTypeOf<{ total: number }>()
      expectTypeOf(run.error).toEqualTypeOf<null>()
    } else {
      expectTypeOf(run.result).toEqualTypeOf<null>()
      expectTypeOf(run.error.code).toEqualTypeOf<string>()
    }
  }
  expectTypeOf(use).toBeFunction()
  expectTypeOf<RunResult['result']>().toEqualTypeOf<unknown>()
})

it('`await using` closes a CodeMode', async () => {
  let ended: CodeMode
  {
    await using codeMode = await CodeMode.open({ warm: false })
    ended = codeMode
    expect(await codeMode.run('result = 1')).toMatchObject({ ok: true, result: 1 })
  }
  await expect(ended.run('result = 1')).rejects.toThrow('host error [closed] this CodeMode has been closed')
})
