// The entry `starbind/agent`: nothing else loads it, and the package `openai` is needed for endpoints alone.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const dist = process.env.TESTED_DIST ?? path.join(root, 'dist')
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { default?: string }>
}

/** The files that an entry loads at once, itself included. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    loadedBy(path.resolve(path.dirname(file), name!), seen)
  return seen
}

it('is loaded by no other entry', () => {
  const marker = 'tool-not-offered'
  const bundle = (entry: string) => path.join(dist, exports[entry]!.default!.replace('./dist/', ''))
  const has = (file: string) => [...loadedBy(file)].some((one) => readFileSync(one, 'utf8').includes(marker))
  expect(has(bundle('./agent'))).toBe(true)
  expect(loadedBy(bundle('.')).size).toBeGreaterThan(1)
  const others = Object.keys(exports).filter((entry) => entry !== './agent' && entry !== './package.json')
  expect(others.length).toBeGreaterThan(5)
  expect([...others.map(bundle), path.join(dist, 'main.js')].filter(has)).toEqual([])
})

it('works without the package openai, and says that endpoints need it', () => {
  const missing = `export async function resolve(name, context, next) {
    if (name === 'openai') throw Object.assign(new Error('no openai'), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  }`
  const program = `
    import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(missing)}))
    const { createAgent } = await import(${JSON.stringify(path.join(dist, 'bundle/agent.js'))})
    const { CodeMode } = await import(${JSON.stringify(path.join(dist, 'bundle/index.js'))})
    const codeMode = await CodeMode.open({ warm: false })
    const model = async () => ({ message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }, finish: 'stop' })
    console.log((await createAgent({ codeMode, model }).run('Hello?')).text)
    const endpoint = { baseUrl: 'http://127.0.0.1:2/v1', name: 'tiny' }
    const { error } = await createAgent({ codeMode, model: endpoint }).run('Hello?')
    console.log(error.code, error.message, '/', error.hint)
    await codeMode.close()`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(said).toBe(
    'Hello.\nmodel-package-missing a model endpoint is reached through the package openai, which is not installed / npm install openai, or pass a function as the model\n',
  )
})
