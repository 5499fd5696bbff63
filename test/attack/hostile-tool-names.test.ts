// Wall: names of servers, tools and parameters are data. Attack: names that would be code, properties or keywords.

import { describe, expect, it } from 'vitest'
import { stage, toolNamed } from './program-harness.js'

const perform = stage()

const names = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  '"], evil: [["x',
  "'); boom(); ('",
  'a\nb',
  '\u2028',
  '\ud800',
  'class',
  'import',
  'None',
  '${x}',
  '*/',
]

describe('a tool named', () => {
  it.each(names.map((name) => [JSON.stringify(name), name]))(
    '%s can be called under a name that programs can write',
    async (_, name) => {
      const servers = [{ name: 'srv', tools: [toolNamed(name)] }]
      const { bindServers } = await import('../../dist/bindings/index.js')
      const guest = bindServers(servers).foreign[0]!.members[0]!.name
      expect(guest).toMatch(/^[\p{L}_][\p{L}\p{N}_]*$/u)
      const answer = { isError: false, content: [{ type: 'text' as const, text: 'fine' }] }
      const { result, failure, calls } = await perform(`result = srv.${guest}()`, { servers, answer })
      expect([failure, result, calls.length]).toEqual([undefined, '"fine"', 1])
    },
  )
})

describe('a server named', () => {
  it.each(names.map((name) => [JSON.stringify(name), name]))(
    '%s is reached under a name that programs can write',
    async (_, name) => {
      const servers = [{ name, tools: [toolNamed('get')] }]
      const { bindServers } = await import('../../dist/bindings/index.js')
      const guest = bindServers(servers).foreign[0]!.name
      const answer = { isError: false, content: [{ type: 'text' as const, text: 'fine' }] }
      const { result, failure } = await perform(`result = ${guest}.get()`, { servers, answer })
      expect([failure, result]).toEqual([undefined, '"fine"'])
    },
  )
})
