// Who may call what: the patterns one by one, and what composing filters may never do.

import { describe, expect, it } from 'vitest'
import {
  allowsTool,
  autoExecutesTool,
  type FilterEntry,
  filterOfHeaders,
  ToolFilter,
} from '../../dist/gateway/filter.js'
import { random as newRandom } from '../random.js'

describe('a pattern', () => {
  it.each<[string, string, string, boolean]>([
    ['*', 'git', 'log', true],
    ['git/log', 'git', 'log', true],
    ['git-log', 'git', 'log', true],
    ['git_log', 'git', 'log', true],
    ['git.log', 'git', 'log', true],
    ['git/*', 'git', 'log', true],
    ['git-*', 'git', 'log', true],
    ['git_*', 'git', 'log', true],
    ['*/log', 'git', 'log', true],
    ['git/l*g', 'git', 'log', true],
    ['g*/l*', 'git', 'log', true],
    ['my-git-log-all', 'my-git', 'log-all', true],
    ['my_git_log_all', 'my_git', 'log_all', true],
    ['git', 'git', 'log', false],
    ['git/', 'git', 'log', false],
    ['git/log', 'git', 'logs', false],
    ['git/log', 'GIT', 'log', false],
    ['git_*', 'git_hub', 'log', false],
    ['git-*', 'git-hub', 'log', false],
    ['git/hub_log', 'git_hub', 'log', false],
    ['log', 'git', 'log', false],
    ['', 'git', 'log', false],
    ['git/l.g', 'git', 'log', false],
    ['git/[a-z]*', 'git', 'log', false],
  ])('%j for %s %s: %s', (pattern, server, tool, allowed) => {
    expect(ToolFilter.all.narrow({ toolsToExecute: [pattern] }).allows(server, tool)).toBe(allowed)
  })

  it('that denies a server by name denies all its tools', () => {
    const filter = ToolFilter.all.narrow({ toolsToDeny: ['git'] })
    expect([filter.allows('git', 'log'), filter.reaches('git'), filter.allows('hub', 'log')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('of many stars fails as fast as it matches', () => {
    const filter = ToolFilter.all.narrow({ toolsToExecute: [`git/${'*a'.repeat(20_000)}b`] })
    expect(filter.allows('git', 'a'.repeat(30_000))).toBe(false)
  })
})

describe('a layer', () => {
  it('denies a tool that it both allows and denies', () => {
    const filter = ToolFilter.all.narrow({ toolsToExecute: ['*'], toolsToDeny: ['git/push'] })
    expect([filter.allows('git', 'log'), filter.allows('git', 'push')]).toEqual([true, false])
  })

  it.each<[string, FilterEntry]>([
    ['no servers', { servers: [] }],
    ['no tools', { toolsToExecute: [] }],
  ])('with %s allows nothing', (_, entry) => {
    const filter = ToolFilter.all.narrow(entry)
    expect([filter.allows('git', 'log'), filter.reaches('git')]).toEqual([false, false])
  })

  it('allows calls without consent only for tools that it allows', () => {
    const filter = ToolFilter.all.narrow({ toolsToExecute: ['git/log'], toolsToAutoExecute: ['git/*'] })
    expect([filter.autoExecutes('git', 'log'), filter.autoExecutes('git', 'push')]).toEqual([true, false])
  })
})

describe("a server's own entry", () => {
  it.each<[Parameters<typeof allowsTool>[0], string, boolean, boolean]>([
    [{}, 'log', true, true],
    [{ toolsToExecute: [] }, 'log', false, false],
    [{ toolsToExecute: ['l*'] }, 'log', true, true],
    [{ toolsToExecute: ['*'], toolsToDeny: ['log'] }, 'log', false, false],
    [{ toolsToDeny: ['*'] }, 'log', false, false],
    [{ toolsToAutoExecute: [] }, 'log', true, false],
    [{ toolsToExecute: ['push'], toolsToAutoExecute: ['*'] }, 'log', false, false],
  ])('%j for %s: %s, without consent %s', (entry, tool, allowed, auto) => {
    expect([allowsTool(entry, tool), autoExecutesTool(entry, tool)]).toEqual([allowed, auto])
  })
})

describe('headers', () => {
  it.each<[Record<string, string | string[]>, FilterEntry[]]>([
    [{ accept: '*/*' }, []],
    [{ 'x-mcp-include-clients': 'git, hub' }, [{ servers: ['git', 'hub'] }]],
    [{ 'X-Bf-Mcp-Include-Tools': 'git-log,hub/*' }, [{ toolsToExecute: ['git-log', 'hub/*'] }]],
    [{ 'x-mcp-include-tools': '' }, [{ toolsToExecute: [] }]],
    [{ 'x-mcp-include-tools': ['git/log', 'git/push'] }, [{ toolsToExecute: ['git/log', 'git/push'] }]],
    [
      { 'x-mcp-include-clients': 'git', 'x-bf-mcp-include-clients': 'hub' },
      [{ servers: ['git'] }, { servers: ['hub'] }],
    ],
  ])('%j become the layers %j', (headers, entries) => {
    expect(filterOfHeaders(headers)).toEqual(entries)
  })
})

describe('a narrower filter', () => {
  it('allows nothing that the wider filter denies', () => {
    const random = newRandom()
    const name = () => random.pick(['a', 'b', 'a_b', 'a-b', 'b_a', 'a.b'])
    const pattern = () => random.pick(['*', name(), `${name()}*`, `*${name()}`])
    const tool = () => (random.below(8) === 0 ? '*' : `${pattern()}${random.pick(['/', '-', '_', '.'])}${pattern()}`)
    const some = (make: () => string) =>
      random.below(3) === 0 ? undefined : Array.from({ length: random.below(4) }, make)
    const entry = (): FilterEntry => ({
      servers: some(pattern),
      toolsToExecute: some(tool),
      toolsToAutoExecute: some(tool),
      toolsToDeny: random.below(2) === 0 ? undefined : some(random.below(2) === 0 ? tool : name),
    })
    for (let i = 0; i < 5000; i++) {
      const wide = Array.from({ length: random.below(3) }, entry).reduce(
        (filter, one) => filter.narrow(one),
        ToolFilter.all,
      )
      const added = entry()
      const narrow = wide.narrow(added)
      const [server, of] = [name(), name()]
      const told = `STARBIND_SEED=${random.seed}: ${JSON.stringify(added)} for ${server}/${of}`
      const says = (filter: ToolFilter) => [
        filter.allows(server, of),
        filter.autoExecutes(server, of),
        filter.reaches(server),
      ]
      const [before, after] = [says(wide), says(narrow)]
      expect(
        after.map((one, n) => one && !before[n]),
        told,
      ).toEqual([false, false, false])
      // Consent is asked for less than all, and a server whose tool may be called is there.
      expect(narrow.autoExecutes(server, of) && !narrow.allows(server, of), told).toBe(false)
      expect(narrow.allows(server, of) && !narrow.reaches(server), told).toBe(false)
      expect(narrow.allows(server, of), told).toBe(
        wide.allows(server, of) && ToolFilter.all.narrow(added).allows(server, of),
      )
    }
  })
})
