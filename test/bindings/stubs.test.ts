// Whole stub files: those of the reference servers as golden files, those of the saved catalogues as digests, and all
// of them read by starbind's own parser, by CPython and by pyright.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bindServers,
  defaultDescriptionLength,
  serverStub,
  sortOut,
  type ToolServer,
  toolDocs,
  toolStub,
} from '../../dist/bindings/index.js'
import { catalogues, noCatalogues } from './catalogue-files.js'
import { readStub } from './stub-reader.js'

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const place = mkdtempSync(path.join(tmpdir(), 'starbind-stubs-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const options = { descriptionLength: defaultDescriptionLength }

/** What a reference server from npm really lists. */
async function reference(name: string, ...args: string[]): Promise<ToolServer> {
  const client = new Client({ name: 'starbind-test', version: '1' })
  const script = path.join(root, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
  const env = { ...(process.env as Record<string, string>), MEMORY_FILE_PATH: path.join(place, 'memory.jsonl') }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script, ...args], env, stderr: 'ignore' }),
  )
  const { tools } = await client.listTools()
  await client.close()
  return { name, tools: sortOut(tools).tools }
}

/** Every stub file of some servers at both levels, by path. */
function stubFiles(servers: readonly ToolServer[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const server of bindServers(servers).servers) {
    files.set(`servers/${server.name}.pyi`, serverStub(server, options))
    for (const tool of server.tools) files.set(`servers/${server.name}/${tool.name}.pyi`, toolStub(tool, options))
  }
  return files
}

function shuffled(servers: readonly ToolServer[]): ToolServer[] {
  return [...servers].reverse().map((server) => ({ ...server, tools: [...server.tools].reverse() }))
}

describe.each([
  ['filesystem', [place]],
  ['memory', []],
  ['everything', []],
] as const)('the stubs of the reference server %s', (name, args) => {
  it('equal the golden files at both levels, for any order of the tools', async () => {
    const server = await reference(name, ...args)
    const files = stubFiles([server])
    expect([...stubFiles(shuffled([server]))]).toEqual([...files])
    const whole = files.get(`servers/${name}.pyi`)!
    const each = [...files].filter(([file]) => file !== `servers/${name}.pyi`)
    await expect(whole).toMatchFileSnapshot(`golden/${name}.pyi`)
    await expect(each.map(([file, text]) => `# ${file}\n${text}`).join('\n')).toMatchFileSnapshot(
      `golden/${name}.tools.pyi`,
    )
    const docs = bindServers([server]).servers[0]!.tools.map((tool) => toolDocs(tool))
    await expect(`${docs.join('\n\n')}\n`).toMatchFileSnapshot(`golden/${name}.docs.pyi`)
  })
})

describe.skipIf(noCatalogues)(`the stubs of the saved catalogues${noCatalogues ? ` (${noCatalogues})` : ''}`, () => {
  it('have the recorded digests, for any order of servers and tools', async () => {
    const digests = (servers: readonly ToolServer[]) => {
      const files = [...stubFiles(servers)].sort(([a], [b]) => (a < b ? -1 : 1))
      const sums = files.map(([file, text]) => [file, createHash('sha256').update(text).digest('hex')])
      return `${JSON.stringify(Object.fromEntries(sums), null, 2)}\n`
    }
    const usual = digests(catalogues())
    expect(digests(shuffled(catalogues()))).toBe(usual)
    await expect(usual).toMatchFileSnapshot('golden/catalogues.json')
  })

  it('are valid programs, each with exactly the tools of its server', () => {
    const bindings = bindServers(catalogues())
    for (const server of bindings.servers) {
      const names = server.tools.map((tool) => tool.name)
      const stub = readStub(serverStub(server, options))
      expect([...stub.functions.keys()]).toEqual(names)
      expect(stub.strangers).toEqual([])
      for (const tool of server.tools)
        expect([...readStub(toolStub(tool, options)).functions.keys()]).toEqual([tool.name])
    }
  })

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
    'and their docs are valid Python to python3 (skipped where there is none)',
    () => {
      const docs = bindServers(catalogues()).servers.flatMap((server) => server.tools.map((tool) => toolDocs(tool)))
      const texts = [...stubFiles(catalogues()).values(), ...docs]
      const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)\nprint("parsed")'
      expect(execFileSync('python3', ['-c', program], { input: JSON.stringify(texts), encoding: 'utf8' })).toBe(
        'parsed\n',
      )
    },
  )

  beforeAll(() => {
    for (const [file, text] of stubFiles(catalogues())) if (file.split('/').length === 2) forPyright(file, text)
  })
})

/** A stub for pyright to read, which starts once for all of them. */
function forPyright(name: string, stub: string): void {
  const file = path.join(place, 'pyright', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, stub)
}

it('tools named like types do not hide the types', () => {
  const ids = { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' } }, any: {} } }
  const names = ['Any', 'dict', 'get', 'int', 'list', 'TypedDict']
  const { servers } = bindServers([
    { name: 'box', tools: names.map((name) => ({ name, inputSchema: ids, outputSchema: ids })) },
  ])
  const stub = serverStub(servers[0]!, options)
  forPyright('shadows.pyi', `# pyright: strict\n${stub}`)
  expect([...readStub(stub).functions.keys()]).toEqual([...names].sort())
  const line = (name: string) =>
    `def ${name}(ids: builtins.list[builtins.int] = ..., any: typing.Any = ...) -> Result: ...`
  expect(stub).toBe(`# box: 6 tools, called as box.name(...)
import builtins
import typing

class Result(typing.TypedDict, total=False):
    ids: builtins.list[builtins.int]
    any: typing.Any

${[...names].sort().map(line).join('\n')}
`)
})

it('types of every kind are written exactly', () => {
  const kinds = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/Tree' },
      json: { $ref: '#/$defs/Json' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2, null] }], items: false },
      odd: {
        type: 'object',
        properties: { 'a-b': { type: 'string' }, from: {} },
        required: ['from'],
        additionalProperties: { type: 'integer' },
      },
      never: { type: 'object', additionalProperties: false },
      keys: {
        type: 'object',
        propertyNames: { enum: ['a', 'b'] },
        additionalProperties: { type: 'number' },
        default: { a: 1 },
      },
      half: { enum: [0.5, 1, 'x', true], default: 0.5 },
      options: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a'],
        default: { b: 1 },
      },
      from: { type: 'string', default: null },
      texts: { enum: ['"', '\\', '\n', '\u202e', '\ud800', '💥', "'"], default: '\ud800' },
    },
    required: ['tree'],
    additionalProperties: true,
    $defs: {
      Tree: { type: 'object', properties: { value: {}, branches: { type: 'array', items: { $ref: '#/$defs/Tree' } } } },
      Json: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { $ref: '#/$defs/Json' } },
          { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
        ],
      },
    },
  }
  const description = 'pyright: strict'
  const { servers } = bindServers([
    {
      name: 'coding: latin-1',
      description: 'type: ignore',
      tools: [{ name: 'all', description, inputSchema: kinds, outputSchema: kinds }],
    },
  ])
  const texts = [serverStub(servers[0]!, options), toolDocs(servers[0]!.tools[0]!)]
  forPyright('kinds.pyi', `# pyright: strict\n${texts[0]}`)
  for (const text of texts) expect([...readStub(text).functions.keys()]).toEqual(['all'])
  expect(texts[0]).toMatchInlineSnapshot(`
    "# coding__latin_1: 1 tool, called as coding__latin_1.name(...)
    from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict
    # the server "coding : latin-1": type : ignore

    class Tree(TypedDict, total=False):
        value: Any
        branches: list[Tree]
    Json: TypeAlias = str | list[Json] | dict[str, Json]
    Odd = TypedDict("Odd", {"a-b": NotRequired[str], "from": Any})  # any other key: int
    class Options(TypedDict):
        a: str
        b: NotRequired[int]
    AllResult = TypedDict("AllResult", {"tree": Tree, "json": NotRequired[Json], "pair": NotRequired[tuple[str, Literal[1, 2] | None]], "odd": NotRequired[Odd], "never": NotRequired[dict[str, Never]], "keys": NotRequired[dict[Literal["a", "b"], float]], "half": NotRequired[float | Literal[1, "x", True]], "options": NotRequired[Options], "from": NotRequired[str], "texts": NotRequired[Literal["\\"", "\\\\", "\\n", "\\u202e", "\\ud800", "💥", "'"]]})  # any other key: Any

    def all(tree: Tree, json: Json = ..., pair: tuple[str, Literal[1, 2] | None] = ..., odd: Odd = ..., never: dict[str, Never] = ..., keys: dict[Literal["a", "b"], float] = {"a": 1}, half: float | Literal[1, "x", True] = 0.5, options: Options = ..., from_: str = ..., texts: Literal["\\"", "\\\\", "\\n", "\\u202e", "\\ud800", "💥", "'"] = "\\ud800", **extra: Any) -> AllResult: ...  # pyright : strict; from_ is "from"
    "
  `)
})

it('no stub has errors for pyright', () => {
  const folder = path.join(place, 'pyright')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.pyi'))
  expect(files).toEqual(expect.arrayContaining(['kinds.pyi', 'shadows.pyi']))
  const pyright = path.join(root, 'node_modules', 'pyright', 'index.js')
  const { stdout } = spawnSync(process.execPath, [pyright, '--outputjson', folder], { encoding: 'utf8' })
  const { summary, generalDiagnostics } = JSON.parse(stdout)
  expect(generalDiagnostics).toEqual([])
  expect(summary).toMatchObject({ filesAnalyzed: files.length, errorCount: 0, warningCount: 0 })
})
