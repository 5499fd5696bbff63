// getToolDocs: everything known about some tools of a server. Knows how tools are named; the text is made elsewhere.

import { type BoundServer, type BoundTool, describedIn } from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type Answer, defaultAnswerMaxChars } from './answer.js'
import { cutText } from './cut.js'
import { ambiguousName, unknownServer, unknownTool, wrongArgument } from './messages.js'
import { readArguments } from './raw-arguments.js'
import { notationOf, stubEnding, type ToolFiles } from './tool-files.js'

/** Answers `getToolDocs({server, tool | tools})`. Names may be those of the stubs or the tools' own. */
export function getToolDocs(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  const read = readArguments('getToolDocs', raw, { server: 'text', tool: 'texts', tools: 'texts' })
  if (!read.ok) return failure([read.diagnostic])
  const { server: name, tool = [], tools = [] } = read.values
  if (name === undefined) return failure([wrongArgument('getToolDocs', 'server', undefined, 'the name of a server')])
  const server = files.bindings.findServer(name)
  if (server.found === undefined) {
    const known = files.bindings.servers.map((one) => one.name)
    return failure([
      server.ambiguous ? ambiguousName('server', name, server.near) : unknownServer(name, server.near, known),
    ])
  }
  const names = [...new Set([...tool, ...tools])]
  if (names.length === 0) return failure([wrongArgument('getToolDocs', 'tool', undefined, 'the name of a tool')])
  const found = names.map((one) => findTool(server.found, one, files))
  const failures = found.flatMap((one) => ('diagnostic' in one ? [one.diagnostic] : []))
  const bound = found.flatMap((one) => ('tool' in one ? [one.tool] : []))
  if (bound.length === 0) return failure(failures)
  return docsAnswer(bound, failures, files)
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

function docsAnswer(tools: readonly BoundTool[], failures: readonly Diagnostic[], files: ToolFiles): Answer {
  const share = Math.floor((files.answerMaxChars ?? defaultAnswerMaxChars) / tools.length)
  const docs = tools.map((tool) => {
    const path = `servers/${tool.server.name}/${tool.name}${stubEnding(files)}`
    const text = describedIn(notationOf(files)).docs(tool, files.bindings.observations)
    return cutText(text, share, `the signature is in ${path}`)
  })
  const parts = [...docs, ...(failures.length > 0 ? [renderDiagnostics(failures)] : [])]
  const structured = {
    tools: tools.map((tool, i) => ({ server: tool.server.source.name, tool: tool.tool.name, docs: docs[i] })),
  }
  return { text: parts.join('\n\n'), isError: failures.length > 0, structured }
}

function failure(diagnostics: readonly Diagnostic[]): Answer {
  return { text: renderDiagnostics(diagnostics), isError: true }
}
