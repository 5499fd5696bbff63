// listToolFiles: the tree of stub files, or the tools that match some words. Knows how much fits into a listing.
// Invariant: the tree stays small however many tools there are, and where something is folded away it says how to see it.

import { type BoundServer, type BoundTool, firstSentence, signatureText, toolWords } from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import type { Answer } from './answer.js'
import { ambiguousName, noServers, nothingMatches, unknownServer } from './messages.js'
import { readArguments } from './raw-arguments.js'
import { levelOf, stubPath, syncToolFiles, type ToolFiles } from './tool-files.js'

/** The longest tree, in characters: about a thousand tokens. */
const TREE_CHARS = 2_800
/** The longest listing of one server. */
const SERVER_CHARS = 12_000
const MOST_HITS = 10

/** Answers `listToolFiles({query?, server?})`. */
export function listToolFiles(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  const read = readArguments('listToolFiles', raw, { query: 'text', server: 'text' })
  if (!read.ok) return failure(read.diagnostic)
  syncToolFiles(files)
  const { query, server: name } = read.values
  if (name === undefined) return query === undefined ? listTree(files) : listMatches(query, files)
  const found = files.bindings.findServer(name.replace(/^servers\/|\.pyi$|\/$/g, ''))
  if (found.found === undefined) {
    const known = files.bindings.servers.map((server) => server.name)
    return failure(found.ambiguous ? ambiguousName('server', name, found.near) : unknownServer(name, found.near, known))
  }
  return query === undefined ? listServer(found.found, files) : listMatches(query, files, found.found)
}

function failure(diagnostic: Diagnostic): Answer {
  return { text: renderDiagnostics([diagnostic]), isError: true }
}

// Words.

function listMatches(query: string, files: ToolFiles, server?: BoundServer): Answer {
  const { observations } = files.bindings
  const hits = files.bindings.search(query, MOST_HITS, server)
  const results = hits.map(({ tool, score }) => ({
    server: tool.server.source.name,
    tool: tool.tool.name,
    path: stubPath(tool.server, tool.name, levelOf(files, tool.server)),
    signature: signatureText(tool, observations),
    score: Math.round(score * 100) / 100,
  }))
  if (hits.length === 0) return { text: nothingMatches(query), isError: false, structured: { results } }
  const lines = results.flatMap((result, i) => {
    const words = toolWords(hits[i]!.tool, 80)
    const line = words === '' ? result.signature : `${result.signature}  # ${words}`
    return i > 0 && results[i - 1]!.path === result.path ? [line] : [`# ${result.path}`, line]
  })
  return { text: lines.join('\n'), isError: false, structured: { results } }
}

// One server.

function listServer(server: BoundServer, files: ToolFiles): Answer {
  const level = levelOf(files, server)
  const count = server.tools.length
  const head = `${level === 'server' ? `servers/${server.name}.pyi` : `servers/${server.name}/`}  ${countOf(server)}`
  const ending = level === 'server' ? '' : '.pyi'
  const forms: ((tool: BoundTool) => string)[] = [
    (tool) => described(tool, 100, ending),
    (tool) => described(tool, 40, ending),
    (tool) => `  ${tool.name}${ending}`,
  ]
  const structured = { server: server.source.name, tools: server.tools.map((tool) => tool.tool.name) }
  for (const form of forms) {
    const text = [head, ...server.tools.map(form)].join('\n')
    if (text.length <= SERVER_CHARS) return { text, isError: false, structured }
  }
  const lines = fitting(
    server.tools.map((tool) => `  ${tool.name}${ending}`),
    SERVER_CHARS - 200,
  )
  const rest = `  … ${count - lines.length} more: listToolFiles(server="${server.name}", query="…") searches them`
  return { text: [head, ...lines, rest].join('\n'), isError: false, structured }
}

function described(tool: BoundTool, length: number, ending: string): string {
  const words = toolWords(tool, length)
  return `  ${tool.name}${ending}${words === '' ? '' : `  # ${words}`}`
}

// The tree.

function listTree(files: ToolFiles): Answer {
  const { servers } = files.bindings
  const structured = {
    servers: servers.map((server) => ({
      server: server.source.name,
      tools: server.tools.length,
      path: levelOf(files, server) === 'server' ? `servers/${server.name}.pyi` : `servers/${server.name}/`,
    })),
  }
  if (servers.length === 0) return { text: noServers, isError: false, structured }
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0)
  const foot = [
    'guide.md  # how to write programs',
    ...resultsLine(files),
    `# ${countWord(tools, 'tool')}. Search: listToolFiles(query="words"). One server: listToolFiles(server="${servers[0]!.name}").`,
  ]
  const forms = [
    (server: BoundServer) => serverLines(server, files, { words: 90, names: true }),
    (server: BoundServer) => serverLines(server, files, { words: 90, names: false }),
    (server: BoundServer) => serverLines(server, files, { words: 45, names: false }),
    (server: BoundServer) => serverLines(server, files, { words: 0, names: false }),
  ]
  for (const form of forms) {
    const text = ['servers/', ...servers.flatMap(form), ...foot].join('\n')
    if (text.length <= TREE_CHARS) return { text, isError: false, structured }
  }
  const lines = fitting(
    servers.flatMap((server) => serverLines(server, files, { words: 0, names: false })),
    TREE_CHARS - foot.join('\n').length - 60,
  )
  const rest = `  … ${countWord(servers.length - lines.length, 'more server')}: listToolFiles(query="words") searches all`
  return { text: ['servers/', ...lines, rest, ...foot].join('\n'), isError: false, structured }
}

/** A server's line, and at tool level the names of its files. */
function serverLines(
  server: BoundServer,
  files: ToolFiles,
  show: { readonly words: number; readonly names: boolean },
): string[] {
  const toolLevel = levelOf(files, server) === 'tool'
  const words = show.words === 0 ? '' : aboutServer(server, show.words)
  const line = `  ${server.name}${toolLevel ? '/' : '.pyi'}  # ${countOf(server)}${words === '' ? '' : `: ${words}`}`
  return toolLevel && show.names ? [line, ...server.tools.map((tool) => `    ${tool.name}.pyi`)] : [line]
}

/** What the server says of itself, else what its tools are about. */
function aboutServer(server: BoundServer, length: number): string {
  const own = firstSentence(server.source.description ?? '', length)
  if (own !== '') return own
  const names = server.tools.map((tool) => tool.name)
  const all = names.join(', ')
  if (all.length <= length) return all
  return fitting(topicsOf(names), length - 1).join(', ')
}

/** What tools do rather than what they are about. */
const VERBS = new Set(
  (
    'get list create update delete add remove set search find read write run execute start stop show describe check fetch make send edit move ' +
    'copy open close put post view take use is by for of to and or in on with all from the new my bulk batch'
  ).split(' '),
)

/** The words that tools' names share, the commonest first. */
function topicsOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names)
    for (const word of new Set(
      name
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    ))
      if (word.length > 2 && !VERBS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  // A word in nearly every name is the server's own.
  const telling = [...counts].filter(([, count]) => count < names.length * 0.8)
  return telling.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
}

function resultsLine({ vfs }: ToolFiles): string[] {
  const kept = vfs.list('results')
  if (kept.length === 0) return []
  return [`results/  # ${countWord(kept.length, 'file')}, the last is ${kept.at(-1)}`]
}

/** The first items that fit into so many characters, each with a separator. */
function fitting(items: readonly string[], chars: number): string[] {
  const kept: string[] = []
  let left = chars
  for (const item of items) {
    left -= item.length + 2
    if (left < 0) break
    kept.push(item)
  }
  return kept
}

function countOf(server: BoundServer): string {
  return countWord(server.tools.length, 'tool')
}

function countWord(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
