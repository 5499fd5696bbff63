// The permitted imports between rooms, checked in the text of the sources.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The rooms from the lowest floor to the highest; a room imports only from floors below its own. */
const floors = [
  ['diagnostics', 'awaitable', 'processes'],
  ['interpreter', 'sandbox', 'vfs', 'state'],
  ['bindings', 'builtin'],
  ['meta-tools'],
  ['gateway'],
  ['library'],
  ['index.ts'],
  ['hosts', 'agent'],
  ['page'],
  ['command-line'],
  ['main.ts'],
]

/**
 * The floors of `interpreter/`: the stages in the order of compilation, above the files beside them, which import no
 * stage.
 */
const stages = [
  ['syntax'],
  ['resolve'],
  ['infer'],
  ['check'],
  ['compile', 'javascript'],
  ['describe-saved.ts', 'languages.ts', 'outcome.ts', 'words.ts'],
  ['stages.ts'],
]

const behindTheDoor = floors.slice(0, 6).flat()

/** Further imports that are forbidden although they lead downwards. */
const strangers: Record<string, readonly string[]> = {
  gateway: ['interpreter', 'vfs'],
  'command-line': behindTheDoor,
  hosts: behindTheDoor,
  agent: behindTheDoor,
  page: behindTheDoor,
  'main.ts': [...behindTheDoor, 'index.ts'],
}

/** Entries besides `index.ts`, by the rooms that may import them. */
const sideDoors: Record<string, readonly string[]> = { 'meta-tools': ['interpreter/stages.ts'] }

/** The folders of the prelude from the lowest to the highest; the files beside them are above all of them. */
const preludeFloors = [
  'values',
  'numbers',
  'calls',
  'containers',
  'text',
  'operators',
  'classes',
  'methods',
  'json',
  'host',
  'builtins',
  'statements',
  'foreign',
  'modules',
]

/** Packages that belong to one folder. */
const confined: readonly (readonly [RegExp, string])[] = [
  [/^@modelcontextprotocol\//, 'gateway/'],
  [/^(quickjs-emscripten|@jitl\/)/, 'sandbox/'],
  [/^(node:)?worker_threads$/, 'sandbox/'],
  [/^aws4fetch$/, 'state/redis/'],
  [/^(acorn|@sveltejs\/acorn-)/, 'interpreter/javascript/'],
  [/^(@jsonjoy\.com\/fs-|image-size|mrmime)/, 'vfs/'],
  [/^(ignore|picomatch|csv-parse|@duckdb\/|@mdream\/|postgres$)/, 'builtin/'],
  [/^(content-disposition|jose$|range-parser)/, 'gateway/serving/'],
  [/^openai$/, 'agent/'],
  [/^(commander|picocolors|cli-table3|@bomb\.sh\/tab)/, 'command-line/'],
  [/^(@?preact|@codemirror\/|@lezer\/|marked$)/, 'page/browser/'],
]

/** Code that runs in browsers, and what it and the host have in common: types of payloads, and the drawing of a run. */
const browser = 'page/browser/'
const common = ['page/interface.ts', 'page/timeline/index.ts']

/** Folders of code that runs in guests; each is a world of its own. */
const guests = ['interpreter/prelude/', 'interpreter/javascript/guest/']
/** The packages that guest code may import: they only compute, and are bundled into the guest. */
const bundled = [/^@noble\/hashes\//, /^entities\/decode$/, /^punycode$/]
const guestOf = (file: string) => guests.find((folder) => file.startsWith(folder))
const vague = ['utils', 'util', 'helpers', 'helper', 'common', 'lib', 'core', 'types', 'shared', 'misc']

/** A variable for a function that another file sets. A lower file takes such a function as a parameter, or moves up. */
const PATCHED = /^(?:export )?let \w+(?:: \((?!\()[^\n]*=>|[^\n]* = \([^\n]*=>)/m

interface Import {
  readonly specifier: string
  /** The imported file, relative to src; undefined for packages. */
  readonly target: string | undefined
}

/** Everything wrong with a set of sources, by path relative to src. */
function breaches(sources: ReadonlyMap<string, string>): string[] {
  const tsx = (target: string) => (sources.has(`${target}x`) ? `${target}x` : target)
  const imports = new Map(
    [...sources].map(([file, text]) => [
      file,
      importsOf(file, text).map((one) => ({ ...one, target: one.target && tsx(one.target) })),
    ]),
  )
  return [
    ...[...imports].flatMap(([file, all]) => all.flatMap((one) => breach(file, one, sources))),
    ...cycles(imports),
    ...[...sources]
      .filter(([file, text]) => guestOf(file) !== undefined && PATCHED.test(text))
      .map(([file]) => `${file}: a function is patched in later`),
    ...[...sources.keys()].flatMap((file) =>
      path.posix
        .dirname(file)
        .split('/')
        .filter((folder) => vague.includes(folder))
        .map((folder) => `${file}: a folder called ${folder} says nothing`),
    ),
  ]
}

function breach(file: string, { specifier, target }: Import, sources: ReadonlyMap<string, string>): string[] {
  if (target === undefined) {
    if (guestOf(file) !== undefined)
      return bundled.some((name) => name.test(specifier)) ? [] : [`${file}: guest code imports ${specifier}`]
    return confined
      .filter(([name, home]) => name.test(specifier) && !file.startsWith(home))
      .map(([, home]) => `${file}: ${specifier} belongs to ${home}`)
  }
  if (!sources.has(target)) return [`${file}: ${specifier} is not a file`]
  if (guestOf(file) !== guestOf(target)) return [`${file}: ${specifier} crosses the guest's wall`]
  if (file.startsWith(browser) !== target.startsWith(browser) && !(file.startsWith(browser) && common.includes(target)))
    return [`${file}: ${specifier} crosses the browser's wall`]
  if (preludeFloor(target) > preludeFloor(file)) return [`${file}: ${specifier} is above it in the prelude`]
  const [from, to] = [roomOf(file), roomOf(target)]
  if (from === 'interpreter' && to === from) return stageBreach(file, target)
  if (from === to) return []
  if (floorOf(to) >= floorOf(from) || strangers[from]?.includes(to)) return [`${file}: ${from} must not import ${to}`]
  const doors = [to === 'index.ts' ? to : path.posix.join(to, 'index.ts'), ...(sideDoors[from] ?? [])]
  return doors.includes(target) ? [] : [`${file}: ${specifier} enters ${to} beside its door`]
}

/** Rooms on one floor do not import each other, apart from the files beside the stages. */
function stageBreach(file: string, target: string): string[] {
  if (guestOf(file) !== undefined) return []
  const [from, to] = [file, target].map((one) => roomOf(one.slice('interpreter/'.length))) as [string, string]
  const [here, there] = [from, to].map((stage) => stages.findIndex((all) => all.includes(stage))) as [number, number]
  const isFree = from === to || there < here || (here < 0 && there < 0)
  return isFree ? [] : [`${file}: ${from} must not import ${to}`]
}

/** The folder that a file lies in, directly or further down. Each of the two doors is a room alone. */
function roomOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file
}

function floorOf(room: string): number {
  const floor = floors.findIndex((rooms) => rooms.includes(room))
  if (floor < 0) throw new Error(`the room ${room} has no floor`)
  return floor
}

/** The floor of a file in the prelude; undefined elsewhere. */
function preludeFloor(file: string): number {
  if (!file.startsWith(guests[0]!)) return 0
  const inside = file.slice(guests[0]!.length)
  if (!inside.includes('/')) return preludeFloors.length
  const floor = preludeFloors.indexOf(roomOf(inside))
  if (floor < 0) throw new Error(`the prelude's folder of ${file} has no floor`)
  return floor
}

function importsOf(file: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = code.matchAll(
    /^\s*(?:import|export)\s[^'"`;=]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  )
  return [...found].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3]!
    const relative = specifier.startsWith('.')
    const target = path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts')
    return { specifier, target: relative ? target : undefined }
  })
}

/** Each cycle once, as the files along it. */
function cycles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file)
    if (at >= 0) found.push(`a cycle: ${[...trail.slice(at), file].join(' → ')}`)
    if (at >= 0 || done.has(file)) return
    for (const { target } of imports.get(file) ?? []) if (target !== undefined) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}

function typescriptIn(folder: string): string[] {
  return filesBelow(path.join(root, folder), '').filter((file) => /\.[mc]?[jt]sx?$/.test(file))
}

/** Without folders whose names begin with a dot, which other tests create and delete meanwhile. */
function filesBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`${prefix}${entry.name}`]
    return entry.name.startsWith('.') ? [] : filesBelow(path.join(folder, entry.name), `${prefix}${entry.name}/`)
  })
}

describe('the sources', () => {
  it('keep to their rooms', () => {
    const sources = new Map(
      typescriptIn('src').map((file) => [file, readFileSync(path.join(root, 'src', file), 'utf8')]),
    )
    expect(sources.size).toBeGreaterThan(20)
    expect(breaches(sources)).toEqual([])
  })

  it('leave the work on programs to threads of their own', () => {
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      const text = readFileSync(path.join(root, 'src', file), 'utf8').replace(
        /^(?:import|export) type [^;]*?from/gm,
        '',
      )
      for (const { target } of importsOf(file, text)) if (target !== undefined) follow(target)
    }
    follow('main.ts')
    follow('index.ts')
    expect(reached.size).toBeGreaterThan(200)
    expect(
      [...reached].filter((file) =>
        /^interpreter\/(?:syntax|resolve|infer|check|compile|javascript|stages)/.test(file),
      ),
    ).toEqual([])
  })

  it('have folders with a meaning, tests included', () => {
    const folders = typescriptIn('test').flatMap((file) => path.posix.dirname(file).split('/'))
    expect(folders.filter((folder) => vague.includes(folder))).toEqual([])
  })
})

describe('this test notices', () => {
  const house: Record<string, string> = {
    'diagnostics/index.ts': '',
    'diagnostics/render.ts': '',
    'vfs/index.ts': "import { Superblock } from '@jsonjoy.com/fs-core'",
    'interpreter/index.ts': "import type { D } from '../diagnostics/index.js'",
    'interpreter/prelude/index.ts': "import './values/values.js'",
    'interpreter/prelude/values/values.ts': '',
    'gateway/index.ts': "export {\n  a,\n  b,\n} from './server.js'",
    'gateway/server.ts': "import { Server } from '@modelcontextprotocol/sdk/server/index.js'",
    'library/index.ts': "export * from '../gateway/index.js'",
    'index.ts': "export * from './library/index.js'",
    'command-line/index.ts': "import { Command } from 'commander'\nimport { open } from '../index.js'",
    'main.ts': "import { main } from './command-line/index.js'",
  }
  const withFiles = (more: Record<string, string>) => breaches(new Map(Object.entries({ ...house, ...more })))

  it('nothing when nothing is wrong', () => {
    expect(withFiles({})).toEqual([])
  })

  it.each<[string, Record<string, string>, string]>([
    ['a room that looks up', { 'vfs/a.ts': "import '../gateway/index.js'" }, 'vfs/a.ts: vfs must not import gateway'],
    ['neighbours', { 'vfs/a.ts': "import '../interpreter/index.js'" }, 'vfs/a.ts: vfs must not import interpreter'],
    [
      'languages in the gateway',
      { 'gateway/a.ts': "import '../interpreter/index.js'" },
      'gateway/a.ts: gateway must not import interpreter',
    ],
    [
      'a window',
      { 'vfs/a.ts': "import { x } from '../diagnostics/render.js'" },
      'vfs/a.ts: ../diagnostics/render.js enters diagnostics beside its door',
    ],
    [
      'a dynamic import',
      { 'vfs/a.ts': "const x = await import('../gateway/index.js')" },
      'vfs/a.ts: vfs must not import gateway',
    ],
    ['a file that is not there', { 'vfs/a.ts': "import './b.js'" }, 'vfs/a.ts: ./b.js is not a file'],
    [
      'the SDK elsewhere',
      { 'vfs/a.ts': "import type { T } from '@modelcontextprotocol/sdk/types.js'" },
      'vfs/a.ts: @modelcontextprotocol/sdk/types.js belongs to gateway/',
    ],
    [
      'threads elsewhere',
      { 'gateway/a.ts': "import {\n  Worker,\n} from 'node:worker_threads'" },
      'gateway/a.ts: node:worker_threads belongs to sandbox/',
    ],
    [
      'acorn elsewhere',
      { 'interpreter/a.ts': "import { parse } from 'acorn'" },
      'interpreter/a.ts: acorn belongs to interpreter/javascript/',
    ],
    [
      'guest code that reaches out',
      { 'interpreter/prelude/a.ts': "import 'node:fs'" },
      'interpreter/prelude/a.ts: guest code imports node:fs',
    ],
    [
      'code of browsers that reaches into the host',
      { 'page/server.ts': '', 'page/browser/a.tsx': "import '../server.js'" },
      "page/browser/a.tsx: ../server.js crosses the browser's wall",
    ],
    [
      'guest code in the host',
      { 'interpreter/a.ts': "import './prelude/values/values.js'" },
      "interpreter/a.ts: ./prelude/values/values.js crosses the guest's wall",
    ],
    [
      'a folder of the prelude that looks up',
      {
        'interpreter/prelude/text/a.ts': '',
        'interpreter/prelude/values/a.ts': "import type { A } from '../text/a.js'",
      },
      'interpreter/prelude/values/a.ts: ../text/a.js is above it in the prelude',
    ],
    [
      'a folder of the prelude that imports what puts it together',
      { 'interpreter/prelude/modules/a.ts': "import '../index.js'" },
      'interpreter/prelude/modules/a.ts: ../index.js is above it in the prelude',
    ],
    [
      'a command that reaches behind the door',
      { 'command-line/a.ts': "import '../gateway/index.js'" },
      'command-line/a.ts: command-line must not import gateway',
    ],
    [
      'a command that knows more than the library shows',
      { 'command-line/a.ts': "import '../library/index.js'" },
      'command-line/a.ts: command-line must not import library',
    ],
    ['a door left ajar', { 'main.ts': "import './gateway/index.js'" }, 'main.ts: main.ts must not import gateway'],
    [
      'options read elsewhere',
      { 'gateway/a.ts': "import { Command } from 'commander'" },
      'gateway/a.ts: commander belongs to command-line/',
    ],
    [
      'a cycle',
      { 'vfs/a.ts': "import './b.js'", 'vfs/b.ts': "import './a.js'" },
      'a cycle: vfs/a.ts → vfs/b.ts → vfs/a.ts',
    ],
    [
      'a function of the guest that is patched in later',
      { 'interpreter/prelude/values/a.ts': 'let show: (x: Value) => string = String' },
      'interpreter/prelude/values/a.ts: a function is patched in later',
    ],
    [
      'a stage that looks ahead',
      { 'interpreter/check/a.ts': "import '../compile/b.js'", 'interpreter/compile/b.ts': '' },
      'interpreter/check/a.ts: check must not import compile',
    ],
    [
      'stages in a ring with what lies beside them',
      { 'interpreter/a.ts': "import './infer/b.js'", 'interpreter/infer/b.ts': '' },
      'interpreter/a.ts: a.ts must not import infer',
    ],
    [
      'one language in the other',
      { 'interpreter/compile/a.ts': "import '../javascript/b.js'", 'interpreter/javascript/b.ts': '' },
      'interpreter/compile/a.ts: compile must not import javascript',
    ],
    ['a vague folder', { 'vfs/utils/a.ts': '' }, 'vfs/utils/a.ts: a folder called utils says nothing'],
  ])('%s', (_, more, complaint) => {
    expect(withFiles(more)).toEqual([complaint])
  })
})
