// The instructions for callers when they connect: the servers, if all callers may know them.

import { expect, it } from 'vitest'
import { checkConfiguration, offersOf } from '../../dist/gateway/index.js'

const command = { command: 'node' }

function told(raw: object): string | undefined {
  const options = { folder: '/', placeOf: () => 'here', environment: {} }
  return offersOf(checkConfiguration(raw, options)).instructions
}

it('names the servers that programs reach', () => {
  const mcpServers = { files: command, github: { ...command, codeMode: false }, off: { ...command, disabled: true } }
  expect(told({ mcpServers })).toBe(
    'Programs call the tools of these servers: files. Find tools with listToolFiles, read them with readToolFile, then send one program with executeToolCode.',
  )
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`s${i}`, command]))
  expect(told({ mcpServers: many })).toContain('s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11 and 2 more. Find')
})

it('names none if callers differ, and is absent if programs can reach nothing', () => {
  const serve = { callers: { 'cursor*': { toolsToDeny: ['files/*'] } } }
  expect(told({ mcpServers: { files: command }, serve })).toContain('the tools of many servers. Find')
  expect(told({ mcpServers: { files: { ...command, codeMode: false } } })).toBeUndefined()
})
