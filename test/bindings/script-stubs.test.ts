// Stubs for JavaScript: their form, and that TypeScript accepts them for any text of an upstream.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type BoundServer,
  bindServers,
  describedIn,
  serverScriptStub,
  type Tool,
  toolScriptStub,
} from '../../dist/bindings/index.js'
import { random } from '../random.js'
import { catalogues, noCatalogues } from './catalogue-files.js'
import { hostileServers } from './hostile-servers.js'

const options = { descriptionLength: 100 }
const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-script-stubs-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** What TypeScript has to say about files, each a world of its own. */
function complaints(files: readonly string[], ending = '.d.ts'): string {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const names = files.map((text, i) => {
    const name = `${i}${ending}`
    // A module of its own: otherwise the files would share their names.
    writeFileSync(path.join(temporary, name), `${text}\nexport {}\n`)
    return name
  })
  writeFileSync(
    path.join(temporary, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, types: [], lib: ['ES2023'], target: 'es2023', module: 'esnext' },
      files: names,
    }),
  )
  try {
    const tsc = path.join(path.dirname(typescript), 'bin/tsc')
    return execFileSync(process.execPath, [tsc, '-p', temporary, '--checkers', '1'], {
      cwd: temporary,
      encoding: 'utf8',
    })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

function stubsOf(servers: readonly BoundServer[]): string[] {
  return servers.flatMap((server) => [
    serverScriptStub(server, options),
    ...server.tools.slice(0, 5).map((tool) => toolScriptStub(tool, options)),
  ])
}

const { docs, signature } = describedIn('typescript')

/** The names of the functions that a stub declares. */
function functionsIn(stub: string): string[] {
  const body = /^declare const [^\n]+: \{\n([\s\S]*)^\}\n$/m.exec(stub)?.[1] ?? ''
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => /^ {2}("(?:[^"\\]|\\.)*"|[^(]+)\(/.exec(line)?.[1] ?? `? ${line}`)
}

const tool: Tool = {
  name: 'list-issues',
  description: 'Lists issues. Slowly.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: {
      owner: { type: 'string' },
      state: { enum: ['open', 'closed', null], default: 'open' },
      from: { type: 'integer', default: 3 },
      'x-key': { type: ['array'], items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      filter: { $ref: '#/$defs/Filter' },
      point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'boolean' }], items: false, minItems: 2 },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['owner'],
    $defs: {
      Filter: {
        type: 'object',
        properties: { not: { $ref: '#/$defs/Filter' }, 'a b': { const: 1 } },
        additionalProperties: { type: 'string' },
      },
    },
  },
  outputSchema: {
    type: 'object',
    properties: {
      result: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
    },
    required: ['result'],
  },
} as unknown as Tool

const described: Tool = {
  name: 'list-issues',
  description: 'Lists issues.\n\nEnds no comment: */ and is no directive: @ts-ignore',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: {
      owner: { type: 'string', minLength: 1, description: 'Who owns it' },
      state: { enum: ['open', 'closed'], default: 'open', description: 'The state' },
      limit: { type: 'integer', default: 'many' },
      filter: { type: 'object', properties: { since: { type: 'string', format: 'date-time' } } },
    },
    required: ['owner'],
  },
} as unknown as Tool

describe('a declaration file', () => {
  const { servers } = bindServers([
    {
      name: 'git hub',
      description: 'Issues and more.',
      tools: [tool, { name: 'delete', inputSchema: { type: 'object', properties: {} } }],
    },
  ])

  it('has interfaces and one object with the tools', () => {
    expect(serverScriptStub(servers[0]!, options)).toBe(`// git_hub: 2 tools, called as await git_hub.name({ … })
// the server "git hub": Issues and more

interface Filter {
  not?: Filter
  "a b"?: 1
  // any other key: string
}
interface Result {
  id: number
}

declare const git_hub: {
  delete(): Promise<any>
  list_issues(args: { owner: string; state?: "open" | "closed" | null /* = "open" */; from?: number /* = 3 */; "x-key"?: (string | number)[]; filter?: Filter; point?: [number, boolean]; labels?: { [key: string]: string } }): Promise<Result[]>  // read-only: Lists issues; list_issues is "list-issues"
}
`)
  })

  it('of one tool has only the types of that tool', () => {
    expect(toolScriptStub(servers[0]!.tools[0]!, options)).toBe(
      '// await git_hub.delete({ … })\n\ndeclare const git_hub: {\n  delete(): Promise<any>\n}\n',
    )
  })
})

describe('the documentation of a tool', () => {
  const { servers } = bindServers([{ name: 'git hub', tools: [described] }])
  const one = servers[0]!.tools[0]!

  it('has its interfaces, its signature with a remark on every parameter, and a correct call', () => {
    expect(docs(one)).toBe(`interface Filter {
  since?: string  // (format date-time)
}
declare const git_hub: {
  /**
   * Lists issues.
   *
   * Ends no comment: * / and is no directive: @ ts-ignore
   */
  list_issues(args: {
    owner: string  // Who owns it (at least 1 characters)
    state?: "open" | "closed"  // = "open"; The state
    limit?: number  // (default "many")
    filter?: Filter
  }): Promise<any>
}
// tool "list-issues" of server "git hub"
// read-only
// example:
await git_hub.list_issues({ owner: "owner" })`)
  })

  it('is one line in a listing', () => {
    expect(signature(one)).toBe(
      'git_hub.list_issues({ owner: string; state?: "open" | "closed" /* = "open" */; limit?: number; filter?: object }): Promise<any>',
    )
  })
})

describe('TypeScript', () => {
  it('reports an unknown type', () => {
    expect(complaints(['declare const a: Nothing\n'])).toMatch(/Cannot find name 'Nothing'/)
  })

  it.skipIf(noCatalogues)('accepts the stubs of all catalogues', () => {
    const stubs = stubsOf(bindServers(catalogues()).servers)
    expect(stubs.length).toBeGreaterThan(50)
    expect(complaints(stubs)).toBe('')
  })

  it.skipIf(noCatalogues)('accepts the documentation of their tools and the example', () => {
    const texts = bindServers(catalogues()).servers.flatMap(({ tools }) => tools.slice(0, 12).map((one) => docs(one)))
    expect(texts.length).toBeGreaterThan(50)
    expect(complaints(texts, '.ts')).toBe('')
  })

  const from = random()
  it(`accepts the stubs of hostile tools and finds exactly their functions (seed ${from.seed})`, () => {
    const servers = Array.from({ length: 60 }, () => bindServers(hostileServers(from)).servers).flat()
    for (const server of servers)
      expect(
        functionsIn(serverScriptStub(server, options)).map((name) => (name.startsWith('"') ? JSON.parse(name) : name)),
      ).toEqual(server.tools.map((one) => one.name))
    expect(complaints(stubsOf(servers))).toBe('')
    const texts = servers.flatMap(({ tools }) => tools.slice(0, 5).map((one) => docs(one)))
    // Examples are right by the schema; the type knows less of it at times.
    expect(complaints(texts, '.ts').replace(/^\d+\.ts\(.*error TS2(?!304).*\n(?: .*\n)*/gm, '')).toBe('')
  })
})
