import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bindServers, type ToolServer } from '../../dist/bindings/index.js'
import { readQuery, stem, wordsOf } from '../../dist/bindings/search-words.js'
import { catalogues, noCatalogues } from './catalogue-files.js'

describe('words', () => {
  it.each([
    ['createPullRequests', ['creat', 'pull', 'request', 'createpullrequest']],
    ['list_issue-notes', ['list', 'issu', 'not']],
    ['HTMLParser v2', ['html', 'parser', 'htmlparser', 'v2']],
    ['Get the contents of a file', ['get', 'content', 'fil']],
    ["the user's boxes", ['user', 'box']],
    ['Größe ändern', ['größ', 'ändern']],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each([
    [['merge', 'merges', 'merged', 'merging'], 'merg'],
    [['stop', 'stops', 'stopped', 'stopping'], 'stop'],
    [['query', 'queries', 'queried'], 'query'],
    [['branch', 'branches'], 'branch'],
    [['list', 'lists', 'listed', 'listing'], 'list'],
  ])('%j are one', (forms, root) => {
    expect(forms.map(stem)).toEqual(forms.map(() => root))
  })

  it.each([
    ['what changed?', 'read'],
    ['open pull requests', 'create'],
    ['issues of a project', 'read'],
    ['delete a branch', 'delete'],
    ['get rid of a branch', 'delete'],
    ['rename the table', 'update'],
    ['run a pipeline', undefined],
  ])('of %j mean the intent %s', (query, intent) => {
    expect(readQuery(query).intent).toBe(intent)
  })

  it('match a query of stop words only, and nothing matches an empty query', () => {
    expect(readQuery('who am I').words.map(({ word }) => word)).toEqual(['who', 'am', 'i'])
    expect(readQuery('who am I').compounds).toContain('whoami')
    expect(readQuery(' ?! ')).toMatchObject({ words: [], compounds: [] })
  })
})

describe('a search', () => {
  const tool = (name: string, description = '', properties = {}) => ({
    name,
    description,
    inputSchema: { type: 'object', properties },
  })
  const servers: ToolServer[] = [
    {
      name: 'github',
      tools: [
        tool('create_issue', 'Create a new issue'),
        tool('list_issues', 'List issues'),
        tool('merge_pull_request'),
      ],
    },
    {
      name: 'gitlab',
      tools: [tool('create_issue', 'Create a new issue'), tool('getFileContents', 'Reads a file', { ref_name: {} })],
    },
  ]
  const bindings = bindServers(servers)
  const find = (query: string) => bindings.search(query, 10).map((hit) => `${hit.tool.server.name}.${hit.tool.name}`)

  it.each([
    ['create issue', 'github.create_issue'],
    ['gitlab new ticket', 'gitlab.create_issue'],
    ['issues', 'github.list_issues'],
    ['merge PR', 'github.merge_pull_request'],
    ['file content', 'gitlab.getFileContents'],
    ['getfilecontents', 'gitlab.getFileContents'],
    ['mereg pul requst', 'github.merge_pull_request'],
    ['ref name', 'gitlab.getFileContents'],
  ])('for %j finds %s first', (query, first) => {
    expect(find(query)[0]).toBe(first)
  })

  it('can be limited to one server', () => {
    const [, gitlab] = bindings.servers
    expect(bindings.search('create issue', 10, gitlab).map((hit) => hit.tool.server.name)).toEqual(['gitlab'])
  })

  it('finds nothing for an empty query or unknown words', () => {
    expect(find('')).toEqual([])
    expect(find('zzzzqqq')).toEqual([])
    expect(find('constructor __proto__')).toEqual([])
  })

  it('returns the same order for any order of servers and tools', () => {
    const other = bindServers(
      [...servers].reverse().map((server) => ({ ...server, tools: [...server.tools].reverse() })),
    )
    for (const query of ['create issue', 'list', 'file'])
      expect(other.search(query, 10).map(({ tool, score }) => [tool.server.name, tool.name, score])).toEqual(
        bindings.search(query, 10).map(({ tool, score }) => [tool.server.name, tool.name, score]),
      )
  })

  it('accepts hostile queries', () => {
    for (const query of ['*', '"', '\\', '('.repeat(10_000), '💥', '\ud800', 'a '.repeat(50_000), 'x'.repeat(100_000)])
      expect(() => find(query)).not.toThrow()
  })
})

describe.skipIf(noCatalogues)(`the queries of bench/search.json${noCatalogues ? ` (${noCatalogues})` : ''}`, () => {
  it('find their tools: recall at 10 at least 0.90, mean reciprocal rank at least 0.75', () => {
    const file = new URL('../../bench/search.json', import.meta.url)
    const { queries } = JSON.parse(readFileSync(file, 'utf8')) as { queries: { query: string; answers: string[] }[] }
    expect(queries.length).toBeGreaterThanOrEqual(120)
    const bindings = bindServers(catalogues())
    let [recall, reciprocal] = [0, 0]
    for (const { query, answers } of queries) {
      const found = bindings.search(query, 10).map(({ tool }) => `${tool.server.source.name}.${tool.tool.name}`)
      const ranks = answers.map((answer) => found.indexOf(answer)).filter((rank) => rank >= 0)
      recall += ranks.length / answers.length / queries.length
      reciprocal += ranks.length === 0 ? 0 : 1 / (Math.min(...ranks) + 1) / queries.length
    }
    expect(recall).toBeGreaterThanOrEqual(0.9)
    expect(reciprocal).toBeGreaterThanOrEqual(0.75)
  })
})
