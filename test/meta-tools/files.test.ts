// The three meta-tools that show tools, over bound servers and a file system of their own.

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { type BindingLevel, bindServers, Observations, type ToolServer } from '../../dist/bindings/index.js'
import { guideFor } from '../../dist/meta-tools/guide.js'
import { getToolDocs, listToolFiles, metaTools, readToolFile, type ToolFiles } from '../../dist/meta-tools/index.js'
import { openVfs } from '../../dist/vfs/index.js'

const tool = (name: string, description: string, properties: object = {}, required: string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
})

const github: ToolServer = {
  name: 'git-hub',
  description: 'Issues and code on GitHub. Needs a token.',
  tools: [
    {
      ...tool('list-issues', 'List issues.', { repo: { type: 'string' }, state: { enum: ['open', 'closed'] } }, [
        'repo',
      ]),
      annotations: { readOnlyHint: true },
    },
    tool('create-issue', 'Create an issue.', { repo: { type: 'string' }, title: { type: 'string' } }, [
      'repo',
      'title',
    ]),
    tool('delete_label', 'Delete a label.', { name: { type: 'string' } }, ['name']),
  ],
}
const files: ToolServer = {
  name: 'files',
  tools: [tool('read_file', 'Read a file.', { path: { type: 'string' } }, ['path'])],
}

function shelf(servers: readonly ToolServer[] = [github, files], more: Partial<ToolFiles> = {}): ToolFiles {
  return { bindings: bindServers(servers), vfs: openVfs(), ...more }
}

const tokens = (text: string): number => encode(text).length

describe('listToolFiles', () => {
  it('shows the servers, their topics, and the next step', () => {
    expect(listToolFiles({}, shelf())).toEqual({
      isError: false,
      text: [
        'servers/',
        '  files.pyi  # 1 tool: read_file',
        '  git_hub.pyi  # 3 tools: Issues and code on GitHub',
        'guide.md  # how to write programs',
        '# 4 tools. Search: listToolFiles(query="words"). One server: listToolFiles(server="files").',
      ].join('\n'),
      structured: {
        servers: [
          { server: 'files', tools: 1, path: 'servers/files.pyi' },
          { server: 'git-hub', tools: 3, path: 'servers/git_hub.pyi' },
        ],
      },
    })
  })

  it('shows a file for each tool at that level, also after a switch', () => {
    let level: BindingLevel = 'tool'
    const some = shelf([github, files], { levelOf: (server) => (server === 'git-hub' ? level : 'server') })
    expect(listToolFiles({}, some).text.split('\n').slice(0, 6)).toEqual([
      'servers/',
      '  files.pyi  # 1 tool: read_file',
      '  git_hub/  # 3 tools: Issues and code on GitHub',
      '    create_issue.pyi',
      '    delete_label.pyi',
      '    list_issues.pyi',
    ])
    expect(readToolFile({ fileName: 'git_hub' }, some).isError).toBe(false)
    level = 'server'
    expect(listToolFiles({}, some).text).toContain('  git_hub.pyi  # 3 tools')
    expect(readToolFile({ fileName: 'git_hub/create_issue' }, some).isError).toBe(false)
  })

  it('shows the tools of one server', () => {
    const whole = [
      '  create_issue  # Create an issue',
      '  delete_label  # Delete a label',
      '  list_issues  # read-only: List issues',
    ]
    expect(listToolFiles({ server: 'git-hub' }, shelf()).text.split('\n')).toEqual([
      'servers/git_hub.pyi  3 tools',
      ...whole,
    ])
    expect(listToolFiles({ server: 'GIT_HUB' }, shelf([github], { levelOf: () => 'tool' })).text.split('\n')).toEqual([
      'servers/git_hub/  3 tools',
      ...whole.map((line) => line.replace('  #', '.pyi  #')),
    ])
  })

  it('finds tools by words, as signatures with their paths', () => {
    const answer = listToolFiles({ query: 'open issues' }, shelf([github]))
    expect(answer.text.split('\n')).toEqual([
      '# servers/git_hub.pyi',
      'git_hub.create_issue(repo: str, title: str) -> Any  # Create an issue',
      'git_hub.list_issues(repo: str, state: Literal["open", "closed"] = ...) -> Any  # read-only: List issues',
    ])
    const { results } = answer.structured as { results: object[] }
    expect(results[0]).toEqual({
      server: 'git-hub',
      tool: 'create-issue',
      path: 'servers/git_hub.pyi',
      signature: 'git_hub.create_issue(repo: str, title: str) -> Any',
      score: expect.any(Number),
    })
    expect(listToolFiles({ query: 'file', server: 'git-hub' }, shelf()).text).toBe(
      'No tool matches "file". Try other words, or listToolFiles() for all servers.',
    )
  })

  it('lists the files that runs have left', () => {
    const some = shelf()
    some.vfs.keep('run-1.json', '{}')
    some.vfs.keep('run-2.json', '{}')
    expect(listToolFiles({}, some).text).toContain('\nresults/  # 2 files, the last is results/run-2.json\n')
  })

  it('reports that there is nothing', () => {
    expect(listToolFiles({}, shelf([]))).toEqual({
      text: 'No servers are connected, so programs have no tools to call.',
      isError: false,
      structured: { servers: [] },
    })
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { server: 'git_hib' },
      'program error [unknown-server] there is no server "git_hib"\nhint: the nearest names are git_hub',
    ],
    [{ server: 'zzz' }, 'program error [unknown-server] there is no server "zzz"\nhint: servers are files, git_hub'],
    [
      { search: 'x' },
      'program error [unknown-argument] listToolFiles has no argument search\nhint: its arguments are query, server',
    ],
    [{ query: 7 }, 'program error [wrong-argument] listToolFiles: query is 7, want text'],
  ])('refuses %j', (raw, text) => {
    expect(listToolFiles(raw, shelf())).toEqual({ text, isError: true })
  })

  describe('of 900 tools', () => {
    const many = (servers: number, tools: number): ToolServer[] =>
      Array.from({ length: servers }, (_, s) => ({
        name: `server-number-${s}`,
        description: `The service that does everything about topic ${s} and then some more for people who care about it`,
        tools: Array.from({ length: tools }, (_, t) => tool(`do_thing_${t}_with_topic_${s}`, 'Does it with care.')),
      }))

    it.each([
      [1, 900, 'server'],
      [1, 900, 'tool'],
      [9, 100, 'server'],
      [9, 100, 'tool'],
      [90, 10, 'server'],
      [90, 10, 'tool'],
      [300, 3, 'server'],
      [900, 1, 'tool'],
    ] as const)('on %i servers with %i tools each, at %s level, stays within 1,000 tokens', (servers, tools, level) => {
      const { text } = listToolFiles({}, shelf(many(servers, tools), { levelOf: () => level }))
      expect(tokens(text)).toBeLessThanOrEqual(1_000)
      expect(text).toContain('# 900 tools. Search: listToolFiles(query="words").')
    })

    it('names the query that unfolds a folded part', () => {
      const lines = listToolFiles({}, shelf(many(300, 3))).text.split('\n')
      const folded = lines.find((line) => line.startsWith('  … '))
      expect(folded).toMatch(/^ {2}… \d+ more servers: listToolFiles\(query="words"\) searches all$/)
      expect(lines.filter((line) => line.startsWith('  server_')).length + Number(/\d+/.exec(folded!))).toBe(300)
    })

    it('shows a whole server, if necessary by names alone or with the number of omitted tools', () => {
      const lines = (tools: number) =>
        listToolFiles({ server: 'server-number-0' }, shelf(many(1, tools))).text.split('\n')
      expect(lines(50)[1]).toBe('  do_thing_0_with_topic_0  # Does it with care')
      expect(lines(400)[1]).toBe('  do_thing_0_with_topic_0')
      expect(lines(400)).toHaveLength(401)
      expect(lines(2_000).at(-1)).toMatch(
        /^ {2}… \d+ more: listToolFiles\(server="server_number_0", query="…"\) searches them$/,
      )
    })
  })
})

describe('readToolFile', () => {
  const stub = [
    '# git_hub: 3 tools, called as git_hub.name(...)',
    'from typing import Any, Literal',
    '# the server "git-hub": Issues and code on GitHub',
    '',
    'def create_issue(repo: str, title: str) -> Any: ...  # Create an issue',
    'def delete_label(name: str) -> Any: ...  # Delete a label',
    'def list_issues(repo: str, state: Literal["open", "closed"] = ...) -> Any: ...  # read-only: List issues',
    '',
  ].join('\n')

  it('returns a file under any spelling of its name', () => {
    for (const fileName of ['servers/git_hub.pyi', 'git_hub', 'git-hub', 'GIT_HUB.PYI', '/servers/git-hub.pyi'])
      expect(readToolFile({ fileName }, shelf())).toEqual({
        text: stub,
        isError: false,
        structured: { files: [{ path: 'servers/git_hub.pyi', lines: 7, text: stub }] },
      })
  })

  it('returns one tool by either of its names', () => {
    const text =
      '# git_hub.delete_label(...)\nfrom typing import Any\n\ndef delete_label(name: str) -> Any: ...  # Delete a label\n'
    expect(readToolFile({ fileName: 'git-hub/delete_label' }, shelf()).text).toBe(text)
    expect(readToolFile({ fileName: 'servers/git_hub/create-issue.pyi' }, shelf()).text).toContain('def create_issue(')
  })

  const lines = stub.split('\n')
  it.each([
    [{ startLine: 5, endLine: 6 }, lines.slice(4, 6)],
    [{ startLine: 7 }, lines.slice(6, 7)],
    [{ endLine: 1 }, lines.slice(0, 1)],
    [{ startLine: 0, endLine: 2 }, lines.slice(0, 2)],
    [{ startLine: -5, endLine: -1 }, lines.slice(0, 1)],
    [{ startLine: 99 }, lines.slice(6, 7)],
    [{ startLine: 5, endLine: 2 }, lines.slice(4, 5)],
    [{ startLine: '5', endLine: '5' }, lines.slice(4, 5)],
    [{ startLine: 1, endLine: 999 }, lines.slice(0, 7)],
  ])('returns the lines %j', (range, expected) => {
    expect(readToolFile({ fileName: 'git_hub', ...range }, shelf()).text).toBe(
      expected.map((line) => `${line}\n`).join(''),
    )
  })

  it('returns several files and reports the wrong names', () => {
    const answer = readToolFile({ fileNames: ['files', 'git_hub/nope', 'guide.md'], endLine: 1 }, shelf())
    expect(answer.text).toBe(
      [
        '# servers/files.pyi',
        '# files: 1 tool, called as files.name(...)\n',
        '# guide.md',
        '# Writing programs\n',
        'program error [unknown-file] there is no file "git_hub/nope"',
        'hint: the nearest files are servers/git_hub.pyi',
      ].join('\n'),
    )
    expect(answer.isError).toBe(true)
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { fileName: 'git_hb' },
      'program error [unknown-file] there is no file "git_hb"\nhint: the nearest files are servers/git_hub.pyi',
    ],
    [
      { fileName: 'git_hub/list_isues' },
      'program error [unknown-file] there is no file "git_hub/list_isues"\nhint: the nearest files are servers/git_hub/list_issues.pyi',
    ],
    [
      { fileName: '../../etc/passwd' },
      'program error [unknown-file] there is no file "../../etc/passwd"\nhint: listToolFiles() shows the files',
    ],
    [{}, 'program error [wrong-argument] readToolFile: fileName is missing, want a path such as "servers/NAME.pyi"'],
    [
      { fileName: 'git_hub', startLine: 'x' },
      'program error [wrong-argument] readToolFile: startLine is "x", want a whole number',
    ],
    [
      { path: 'git_hub' },
      'program error [unknown-argument] readToolFile has no argument path\nhint: its arguments are fileName, fileNames, startLine, endLine',
    ],
  ])('refuses %j', (raw, text) => {
    expect(readToolFile(raw, shelf())).toEqual({ text, isError: true })
  })

  it('returns a long file in pages', () => {
    const some = shelf([], { answerMaxChars: 166 })
    some.vfs.keep('run-1.json', Array.from({ length: 20 }, (_, i) => `line ${i + 1} ......\n`).join(''))
    expect(readToolFile({ fileName: 'results/run-1.json' }, some).text).toBe(
      'line 1 ......\nline 2 ......\n[lines 3 to 20 of 20 are left out: readToolFile("results/run-1.json", startLine=3)]',
    )
    some.vfs.keep('long', `${'x'.repeat(200)}\nend\n`)
    expect(readToolFile({ fileName: 'results/long' }, some).text).toBe(
      `${'x'.repeat(42)}\n[line 1 has 201 characters, 159 are left out; go on with startLine=2]`,
    )
    expect(readToolFile({ fileName: 'results/long', startLine: 2 }, some).text).toBe('end\n')
  })

  it('returns as many of the files as fit', () => {
    const some = shelf([], { answerMaxChars: 4_000 })
    const answer = readToolFile({ fileNames: Array.from({ length: 5_000 }, (_, i) => `no/file-${i}`) }, some)
    expect(answer.isError).toBe(true)
    expect(answer.text.length).toBeLessThanOrEqual(4_000)
    expect(answer.text.split('\n').at(-1)).toBe(
      '[the first 50 names are shown, 4950 more are left out: ask for them in another call]',
    )
  })

  it('reports the size of other files', () => {
    const some = shelf([])
    some.vfs.keep('image.png', new Uint8Array([137, 80, 255]))
    expect(readToolFile({ fileName: 'results/image.png' }, some).text).toBe(
      '[results/image.png: image/png, 3 bytes; it is no picture of that type]',
    )
  })
})

describe('getToolDocs', () => {
  it('returns everything about a tool, by either name', () => {
    const docs = [
      'def delete_label(',
      '    name: str,',
      ') -> Any:',
      '    """',
      '    Delete a label.',
      '    """',
      '# tool "delete_label" of server "git-hub"',
      '# example:',
      'git_hub.delete_label(name="name")',
    ].join('\n')
    expect(getToolDocs({ server: 'git-hub', tool: 'delete_label' }, shelf())).toEqual({
      text: docs,
      isError: false,
      structured: { tools: [{ server: 'git-hub', tool: 'delete_label', docs }] },
    })
    expect(getToolDocs({ server: 'GIT_HUB', tool: 'git_hub.delete_label' }, shelf()).text).toBe(docs)
    expect(getToolDocs({ server: 'git_hub', tools: ['create-issue', 'list_issues'] }, shelf()).text).toMatch(
      /^def create_issue\([^]*\n\ndef list_issues\(/,
    )
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { server: 'git_hub', tool: 'list_isues' },
      'program error [unknown-tool] server git_hub has no tool "list_isues"\nhint: the nearest names are list_issues',
    ],
    [
      { server: 'git_hub', tool: 'zzz' },
      'program error [unknown-tool] server git_hub has no tool "zzz"\nhint: listToolFiles(server="git_hub") lists its tools',
    ],
    [
      { server: 'githb', tool: 'x' },
      'program error [unknown-server] there is no server "githb"\nhint: the nearest names are git_hub',
    ],
    [{ tool: 'x' }, 'program error [wrong-argument] getToolDocs: server is missing, want the name of a server'],
    [{ server: 'git_hub' }, 'program error [wrong-argument] getToolDocs: tool is missing, want the name of a tool'],
  ])('refuses %j', (raw, text) => {
    expect(getToolDocs(raw, shelf())).toEqual({ text, isError: true })
  })

  it('returns the tools that exist and reports the others', () => {
    const answer = getToolDocs({ server: 'files', tools: ['read_file', 'write_file'] }, shelf())
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(
      /^def read_file\([^]*\n\nprogram error \[unknown-tool\] server files has no tool "write_file"\n/,
    )
  })
})

describe('a change', () => {
  it('of one server updates the files of that server only', () => {
    const before = bindServers([github, files])
    const vfs = openVfs()
    readToolFile({ fileNames: ['git_hub', 'files'] }, { bindings: before, vfs })
    const changed = { ...files, tools: [...files.tools, tool('write_file', 'Write a file.')] }
    const after = bindServers([changed, github], { previous: before })
    expect(after.servers[1]).toBe(before.servers[1])
    expect(readToolFile({ fileName: 'files' }, { bindings: after, vfs }).text).toContain('def write_file(')
    expect(listToolFiles({ query: 'write' }, { bindings: after, vfs }).text).toContain('files.write_file(')
    const without = bindServers([changed], { previous: after })
    expect(readToolFile({ fileName: 'git_hub' }, { bindings: without, vfs }).isError).toBe(true)
  })

  it('of observed results appears in the next stub', () => {
    const observations = new Observations()
    const bindings = bindServers([files], { observations })
    const some = shelf([], { bindings })
    expect(readToolFile({ fileName: 'files' }, some).text).toContain(
      'def read_file(path: str) -> Any: ...  # Read a file',
    )
    observations.learn('files', 'read_file', 'Ttext')
    expect(readToolFile({ fileName: 'files' }, some).text).toContain(
      'def read_file(path: str) -> str: ...  # observed: Read a file',
    )
  })
})

describe('the text for a model', () => {
  it('has less than 700 tokens of definitions', () => {
    expect(tokens(JSON.stringify(metaTools))).toBeLessThan(700)
  })

  it('has at most 800 tokens of guide', () => {
    expect(tokens(guideFor({}))).toBeLessThanOrEqual(800)
  })

  it('has less than 500 tokens about the dialect in the guide', () => {
    const sections = guideFor({}).split(/^(?=## )/m)
    expect(sections.map((section) => section.slice(0, section.indexOf('\n')))).toEqual([
      '# Writing programs',
      '## Calling tools',
      '## Language',
      '## JavaScript',
      '## Answering',
    ])
    const [program, , language] = sections
    expect(tokens(`${program}${language}`)).toBeLessThan(500)
  })

  it('names in the guide only the restrictions of the configuration', () => {
    const lines = (switches: object) => guideFor(switches).match(/^- Not there: .*$/gm)
    expect(lines({ clock: true, random: true, strict: true })).toEqual(lines({}))
    expect(lines({})).toEqual([
      "- Not there: files, network, time of day, unseeded randomness, other imports, `eval`. Pass today's date in as text.",
      '- Not there: `import`, `require`, `Date.now()`, `Math.random`, `fetch`. Integers beyond 2**53 are BigInt.',
    ])
    expect(lines({ clock: true, random: true })).toEqual([
      '- Not there: files, network, other imports, `eval`. The clock stands at the start of the run.',
      '- Not there: `import`, `require`, `fetch`. Integers beyond 2**53 are BigInt.',
    ])
  })
})
