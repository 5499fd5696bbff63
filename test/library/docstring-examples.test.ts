// Every exported name of every entry of the package has a description and an example in its declaration, where an
// editor shows them. Each example is a whole module and compiles as a reader's own would: against the built package,
// under the strictest settings, with the providers' real types.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { publicNames } from '../../scripts/api.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(root, 'test/.examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface PublicName {
  /** The entry of the package and the name: `starbind/openai ChatTools`. */
  readonly place: string
  readonly name: string
  readonly prose: string
  readonly example: string
  readonly code: string
}

const names: PublicName[] = publicNames(process.env.TESTED_DIST ?? path.join(root, 'dist')).flatMap(
  ({ entry, declarations }: { entry: string; declarations: Omit<PublicName, 'place'>[] }) =>
    declarations.map((one) => ({ ...one, place: `${entry} ${one.name}` })),
)
const places = (some: readonly PublicName[]) => some.map(({ place }) => place)

it('the test reads every entry of the package', () => {
  const entries = new Set(names.map(({ place }) => place.split(' ')[0]))
  expect([...entries].sort()).toEqual([
    'starbind',
    'starbind/agent',
    'starbind/ai-sdk',
    'starbind/anthropic',
    'starbind/gemini',
    'starbind/langchain',
    'starbind/openai',
  ])
})

it('every exported name has a description', () => {
  expect(places(names.filter(({ prose }) => !/^[A-Z`].*[.:]/s.test(prose)))).toEqual([])
})

it('every exported name has an example that imports from the package and uses the name', () => {
  const uses = ({ name, example }: PublicName) =>
    example.includes("from 'starbind") && new RegExp(`\\b${name}\\b`).test(example)
  expect(places(names.filter((one) => !uses(one)))).toEqual([])
})

it('every method of a class and of an interface has a description', () => {
  const mute = names.flatMap(({ place, code }) => {
    const lines = code.split('\n')
    return lines.flatMap((line, i) => {
      const method = /^ {2}(?:static )?(\w+)(?:<.*>)?\(/.exec(line)?.[1]
      return method === undefined || method === 'constructor' || lines[i - 1]?.trim().endsWith('*/')
        ? []
        : [`${place}.${method}`]
    })
  })
  expect(mute).toEqual([])
})

it('the examples compile', () => {
  const files = names.map(({ place, example }, i) => ({ file: `${i}-${place.replaceAll(/[/ ]/g, '-')}.ts`, example }))
  for (const { file, example } of files) writeFileSync(path.join(folder, file), `${example}\n`)
  const compilerOptions = { rootDir: root, noEmit: true, declaration: false, noUnusedLocals: false }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    // What the extended file includes, the whole source, is not compiled again.
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions,
      include: [],
      files: files.map(({ file }) => file),
    }),
  )
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  expect(complaints(tsc)).toBe('')
})

function complaints(tsc: string): string {
  try {
    // Several checkers would each read the declarations that the examples share.
    return execFileSync(process.execPath, [tsc, '-p', folder, '--checkers', '1'], { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
