// The audit log where it can't be written: what is called then, what is written later, and that closing ends.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuditSettings, CodeMode, type LogLine } from '../../dist/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'starbind-audit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function open(audit: AuditSettings) {
  const log: LogLine[] = []
  let sold = 0
  const servers = { shop: { inProcess: { sell: { call: () => ++sold } } } }
  const codeMode = await CodeMode.open({ servers, serve: { audit }, log: (line) => log.push(line), warm: false })
  const sell = async () => (await codeMode.run('shop.sell()')).error?.code
  return { codeMode, log, sell, sold: () => sold }
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1)

describe('calls are refused while the audit log cannot be written', () => {
  it('when the disk is full', async () => {
    const { codeMode, sell, sold, log } = await open({ file: '/dev/full' })
    // That it is full shows with the first line.
    await sell()
    await expect.poll(sell).toBe('audit-unwritable')
    const before = sold()
    const { error } = await codeMode.run('shop.sell()')
    expect(error).toMatchObject({
      class: 'host error',
      code: 'audit-unwritable',
      message: "shop.sell was not called: its entry in the audit log can't be written (ENOSPC)",
      hint: 'a person has to make the file of serve.audit writable',
    })
    expect(sold()).toBe(before)
    await codeMode.close()
    const errors = log.filter(({ level }) => level === 'error').map(({ message }) => message)
    expect(errors).toEqual([
      "the audit log can't be written: ENOSPC: no space left on device, write",
      expect.stringMatching(/^\d+ lines of the audit log could not be written$/),
    ])
  })

  it('when its folder is gone, until it is back', async () => {
    const within = path.join(folder, 'logs')
    const file = path.join(within, 'calls.jsonl')
    const { codeMode, sell, sold } = await open({ file })
    expect(await sell()).toBe(undefined)
    await expect.poll(() => linesOf(file)).toHaveLength(1)
    renameSync(within, `${within}-old`)
    writeFileSync(within, 'in the way')
    await expect.poll(sell).toBe('audit-unwritable')
    const made = sold()
    expect(await sell()).toBe('audit-unwritable')
    expect(sold()).toBe(made)
    rmSync(within)
    expect(await sell()).toBe(undefined)
    await codeMode.close()
    const outcomes = linesOf(file).map((line) => JSON.parse(line).outcome)
    // What was called while nobody knew yet, what was refused, and what was called then.
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(sold() - 1)
    expect(outcomes.at(-1)).toBe('answered')
    expect(linesOf(`${within}-old/calls.jsonl`)).toHaveLength(1)
  })

  it('when nobody reads the pipe', async () => {
    const file = path.join(folder, 'pipe')
    execFileSync('mkfifo', [file])
    const { codeMode, sell, sold } = await open({ file })
    expect(await sell()).toBe('audit-unwritable')
    expect(sold()).toBe(0)
    await codeMode.close()
  })

  it('when a link is in its place', async () => {
    const [file, target] = [path.join(folder, 'calls.jsonl'), path.join(folder, 'target')]
    symlinkSync(target, file)
    const { codeMode, sell, sold } = await open({ file })
    expect(await sell()).toBe('audit-unwritable')
    expect(sold()).toBe(0)
    await codeMode.close()
    expect(existsSync(target)).toBe(false)
  })
})

it('calls are made without an audit log if it is not required', async () => {
  const { codeMode, sell, sold } = await open({ file: '/dev/full', required: false })
  for (let i = 0; i < 5; i++) expect(await sell()).toBe(undefined)
  expect(sold()).toBe(5)
  await codeMode.close()
})

it('a deleted audit file is created again', async () => {
  const file = path.join(folder, 'calls.jsonl')
  const { codeMode, sell } = await open({ file })
  await sell()
  await expect.poll(() => linesOf(file)).toHaveLength(1)
  mkdirSync(path.join(folder, 'away'))
  renameSync(file, path.join(folder, 'away', 'calls.jsonl'))
  await sell()
  await codeMode.close()
  expect(linesOf(file)).toHaveLength(1)
})
