// The commands that read saved tools/list answers and start nothing.

import { afterAll, describe, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { repo: { type: 'string' } }, required: ['repo'] },
})
const tools = [tool('list-issues', 'List issues.'), tool('create-issue', 'Create an issue.')]
place.write('github.json', { tools })

const run = (...args: string[]) => starbindHere(args, { cwd: place.folder })

describe('starbind stubs', () => {
  const whole = [
    '# git_hub: 2 tools, called as git_hub.name(...)',
    'from typing import Any',
    '# the server "git-hub"',
    '',
    'def create_issue(repo: str) -> Any: ...  # Create an issue',
    'def list_issues(repo: str) -> Any: ...  # List issues',
    '',
  ].join('\n')

  it.each([
    ['a result', { tools }],
    ['a message', { jsonrpc: '2.0', id: 1, result: { tools } }],
    ['a bare list', tools],
  ])('renders %s', async (_, saved) => {
    place.write('saved.txt', saved)
    expect(await run('stubs', 'saved.txt', '--server', 'git-hub')).toEqual({ status: 0, stdout: whole, stderr: '' })
  })

  it('renders a file for each tool', async () => {
    expect((await run('stubs', 'github.json', '--server', 'github', '--level', 'tool')).stdout).toBe(
      [
        '# servers/github/create_issue.pyi',
        '# github.create_issue(...)',
        'from typing import Any',
        '',
        'def create_issue(repo: str) -> Any: ...  # Create an issue',
        '',
        '# servers/github/list_issues.pyi',
        '# github.list_issues(...)',
        'from typing import Any',
        '',
        'def list_issues(repo: str) -> Any: ...  # List issues',
        '',
      ].join('\n'),
    )
  })

  it('renders one file, under any spelling and at any level', async () => {
    const one =
      '# github.list_issues(...)\nfrom typing import Any\n\ndef list_issues(repo: str) -> Any: ...  # List issues\n'
    for (const file of ['servers/github/list_issues.pyi', 'github/list-issues'])
      expect(await run('stubs', 'github.json', '--server', 'github', '--file', file)).toEqual({
        status: 0,
        stdout: one,
        stderr: '',
      })
  })

  it('sets malformed tools aside', async () => {
    place.write('mixed.json', { tools: [{ name: 'broken' }, tools[0], 7, tools[0]] })
    const { status, stdout, stderr } = await run('stubs', 'mixed.json', '--server', 'github')
    expect(status).toBe(0)
    expect(stdout).toContain('def list_issues(repo: str)')
    expect(stderr).toBe(
      'github: the tool broken is set aside: its inputSchema is not an object schema\n' +
        'github: the tool number 3 is set aside: its entry is not an object\n' +
        'github: the tool list-issues is set aside: another tool of this server has the same name\n',
    )
  })

  it.each([
    [
      ['nothing.json', '--server', 's'],
      2,
      'host error [wrong-catalogue] nothing.json: there is nothing of that name\n',
    ],
    [['.', '--server', 's'], 2, 'host error [wrong-catalogue] .: it is a folder\n'],
    [
      ['broken.json', '--server', 's'],
      2,
      'host error [wrong-catalogue] broken.json: this is not JSON; want a saved tools/list answer\n',
    ],
    [
      ['other.json', '--server', 's'],
      2,
      'host error [wrong-catalogue] other.json: there is no list "tools"; want a saved tools/list answer\n',
    ],
    [
      ['github.json', '--server', 'github', '--file', 'github/list_isues'],
      2,
      'starbind: there is no file "github/list_isues"\nhint: the nearest files are servers/github/list_issues.pyi\n',
    ],
    [
      ['github.json'],
      2,
      "starbind: required option '--server <name>' not specified\nhint: starbind stubs --help shows its options and examples\n",
    ],
  ])('%j ends with %i', async (args, status, stderr) => {
    place.write('broken.json', '{')
    place.write('other.json', { a: 1 })
    expect(await run('stubs', ...args)).toEqual({ status, stdout: '', stderr })
  })
})

describe('starbind ls --catalogues', () => {
  const folder = new Workplace()
  folder.write('github.json', { tools })
  folder.write('files.json', { tools: [tool('read_file', 'Read a file.')] })
  folder.write('notes.txt', 'not a catalogue')
  afterAll(() => folder.remove())
  const list = (...args: string[]) => run('ls', '--catalogues', folder.folder, ...args)

  it('lists saved answers', async () => {
    expect(await list()).toEqual({
      status: 0,
      stdout: [
        'servers/',
        '  files.pyi  # 1 tool: read_file',
        '  github.pyi  # 2 tools: create_issue, list_issues',
        'guide.md  # how to write programs',
        '# 3 tools. Search: starbind ls WORDS. One server: starbind ls --server files.',
        '',
      ].join('\n'),
      stderr: '',
    })
  })

  it('searches them, for people and for programs', async () => {
    expect((await list('--query', 'file')).stdout).toBe('files.read_file  # Read a file\n')
    expect((await list('--query', 'file', '--signatures')).stdout).toBe(
      '# servers/files.pyi\nfiles.read_file(repo: str) -> Any  # Read a file\n',
    )
    const { stdout } = await list('--query', 'file', '--json')
    expect(JSON.parse(stdout)).toEqual({
      results: [
        {
          server: 'files',
          tool: 'read_file',
          path: 'servers/files.pyi',
          signature: 'files.read_file(repo: str) -> Any',
          score: expect.any(Number),
        },
      ],
    })
    const all = JSON.parse((await list('--json')).stdout) as { results: { tool: string; score: number }[] }
    expect(all.results.map(({ tool, score }) => [tool, score])).toEqual([
      ['read_file', 0],
      ['create-issue', 0],
      ['list-issues', 0],
    ])
  })

  it('reports a wrong file', async () => {
    expect(await run('ls', '--catalogues', 'nowhere')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'host error [wrong-catalogue] nowhere: there is nothing of that name\n',
    })
  })
})
