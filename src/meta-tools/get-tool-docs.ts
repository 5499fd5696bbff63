// getToolDocs: the full documentation of some tools of a server.

import {
  atOnce,
  type BoundServer,
  type BoundTool,
  describedIn,
  type Pieces,
  readyToDescribe,
} from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type Answer, defaultAnswerMaxChars } from './answer.js'
import { cutText } from './cut.js'
import { failure, firstNames } from './first-names.js'
import { ambiguousName, namesLeftOut, unknownServer, unknownTool, wrongArgument } from './messages.js'
import { readArguments } from './raw-arguments.js'
import { asksAbout, notationOf, stubEnding, type ToolFiles, unreachable } from './tool-files.js'

/** Answers `getToolDocs({server, tool | tools})`. Names may be those of the stubs or the tools' own. */
export function getToolDocs(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  return atOnce(describing(raw, files))
}

/** The same in pieces, one for each name. */
export function* describing(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Pieces<Answer> {
  const most = files.answerMaxChars ?? defaultAnswerMaxChars
  const read = readArguments('getToolDocs', raw, { server: 'text', tool: 'texts', tools: 'texts' })
  if (!read.ok) return failure([read.diagnostic])
  const { server: name, tool = [], tools = [] } = read.values
  if (name === undefined) return failure([wrongArgument('getToolDocs', 'server', undefined, 'the name of a server')])
  const server = files.bindings.findServer(name)
  if (server.found === undefined) {
    const known = files.bindings.servers.map((one) => one.name)
    const gone = unreachable(name, files)
    if (gone !== undefined) return failure([gone])
    return failure([
      server.ambiguous ? ambiguousName('server', name, server.near) : unknownServer(name, server.near, known),
    ])
  }
  const { names, leftOut } = firstNames([...tool, ...tools], most)
  if (names.length === 0) return failure([wrongArgument('getToolDocs', 'tool', undefined, 'the name of a tool')])
  const found: ReturnType<typeof findTool>[] = []
  for (const one of names) {
    found.push(findTool(server.found, one, files))
    yield
  }
  const failures = found.flatMap((one) => ('diagnostic' in one ? [one.diagnostic] : []))
  const bound = found.flatMap((one) => ('tool' in one ? [one.tool] : []))
  if (bound.length === 0) return failure(failures, leftOut, most)
  yield* readyToDescribe(server.found, files.bindings.observations)
  const docs: string[] = []
  for (const one of bound) {
    docs.push(docsOf(one, Math.floor(most / bound.length), files))
    yield
  }
  const parts = [
    ...docs,
    ...(failures.length > 0 ? [renderDiagnostics(failures)] : []),
    ...(leftOut > 0 ? [namesLeftOut(names.length, leftOut)] : []),
  ]
  const structured = {
    tools: bound.map(({ server, tool }, i) => ({ server: server.source.name, tool: tool.name, docs: docs[i] })),
  }
  return { text: cutText(parts.join('\n\n'), most), isError: failures.length > 0 || leftOut > 0, structured }
}

function findTool(
  server: BoundServer,
  name: string,
  { bindings }: ToolFiles,
): { readonly tool: BoundTool } | { readonly diagnostic: Diagnostic } {
  // A model that has the whole path writes it: `github.list_issues`.
  const prefix = `${server.name}.`
  const found = bindings.findTool(server, name.startsWith(prefix) ? name.slice(prefix.length) : name)
  if (found.found !== undefined) return { tool: found.found }
  return {
    diagnostic: found.ambiguous ? ambiguousName('tool', name, found.near) : unknownTool(server.name, name, found.near),
  }
}

function docsOf(tool: BoundTool, maxChars: number, files: ToolFiles): string {
  const path = `servers/${tool.server.name}/${tool.name}${stubEnding(files)}`
  const notation = notationOf(files)
  const docs = describedIn(notation).docs(tool, files.bindings.observations)
  const mark = `${notation === 'typescript' ? '//' : '#'} a person is asked before each call`
  const text = asksAbout(tool, files) ? `${docs}\n${mark}` : docs
  return cutText(text, maxChars, `the signature is in ${path}`)
}
