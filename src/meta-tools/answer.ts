// Assembles the text of an answer within its budget.
// Invariant: an answer is never longer than its budget, and it names every omission and the path of the whole text.

import { cutJson, cutLines, cutText, fairShares } from './cut.js'
import { type JsonNode, pagedText, readJsonTree, shapeText } from './json-tree.js'
import { reuseOffered } from './messages.js'
import { type Formatted, formatResult, type OutputFormat } from './output-format.js'
import type { RunFacts, RunResult } from './run-result.js'

/**
 * The answer of every meta-tool.
 *
 * @example
 * import { type Answer, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const answer: Answer = await codeMode.executeToolCode({ code: 'result = 6 * 7' })
 * console.log(answer.isError ? 'not done' : 'done', answer.text)
 */
export interface Answer {
  readonly text: string
  /** True when the request failed. */
  readonly isError: boolean
  /** The answer as data, for programs. */
  readonly structured?: unknown
  /** Pictures and other files that the model sees after the text. */
  readonly files?: readonly AnswerFile[]
  /** The value of a requested `structuredContent`, at most as long as the text; absent: `structured`. */
  readonly brief?: Readonly<Record<string, unknown>>
}

/**
 * A file in an answer, as a content block of MCP: a picture, or a resource with the bytes of anything else.
 *
 * @example
 * import { type AnswerFile, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const { files = [] } = await codeMode.readToolFile({ fileName: 'results/chart.png' })
 * for (const file of files as AnswerFile[]) if (file.type === 'image') console.log(file.mimeType, file.data.length)
 */
export type AnswerFile =
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string }
    }

export const defaultAnswerMaxChars = 24_000

export interface AnswerOptions {
  /** The longest answer. */
  readonly maxChars: number
  /** The notation of the result. Default JSON. */
  readonly format?: OutputFormat
  /** Stores text that does not fit and returns its path. */
  readonly keep: (name: string, whole: string) => string
}

/** The parts of an answer's text. */
type AnswerFacts = Pick<RunFacts, 'runId' | 'reusable' | 'logs' | 'report' | 'resultJson' | 'resultText'>

/** The text of a run: its output, its result, and the report about it. `path`: the path of the whole, if it was cut. */
export function answerText(
  run: AnswerFacts,
  options: AnswerOptions,
): { readonly text: string; readonly path?: string } {
  const node = run.resultJson === undefined ? undefined : readJsonTree(run.resultJson)
  const shown = shownResult(run, node, options.format ?? 'json')
  const output = run.logs.join('\n')
  const report = [shown.note, run.report, run.reusable ? reuseOffered(run.runId) : '']
    .filter((one) => one !== '')
    .join('\n')
  const whole = [output, shown.whole, report].filter((one) => one !== '').join('\n')
  if (whole.length <= options.maxChars) return { text: whole }
  const path = options.keep(`${run.runId}.json`, wholeOutput(run, node))
  const length = output.length + (run.resultText?.length ?? 0)
  const firm = [cutNote(run, node, path, length), report].filter((one) => one !== '').join('\n')
  const room = Math.max(0, options.maxChars - firm.length - 2)
  const [outputShare = 0, shownShare = 0] = fairShares([output.length, shown.whole.length], room)
  const sections = [
    output === '' ? '' : cutLines(run.logs, outputShare),
    shown.whole === '' ? '' : shown.cut(shownShare),
    firm,
  ]
  return { text: cutText(sections.filter((one) => one !== '').join('\n'), options.maxChars), path }
}

/** The output of `--json`; if the answer was cut, the path of the whole instead of output and result. */
export function brief(run: RunResult, path: string | undefined): Record<string, unknown> {
  const { ok, logs, error, calls, stats, runId } = run
  const short = calls.map(({ server, tool, ok, ms, bytes }) => ({ server, tool, ok, ms, bytes }))
  const said = path === undefined ? { result: run.result, logs } : { cut: path }
  return { runId, ok, ...said, error, calls: short, stats }
}

interface Shown {
  readonly whole: string
  /** The reason why the result is not in the requested notation. */
  readonly note: string
  readonly cut: (maxChars: number) => string
}

const LABEL = 'result: '

function shownResult({ resultText }: AnswerFacts, node: JsonNode | undefined, format: OutputFormat): Shown {
  if (resultText === undefined) return { whole: '', note: '', cut: () => '' }
  const formatted: Formatted | undefined =
    format === 'json'
      ? undefined
      : node === undefined
        ? { ok: false, reason: 'the result is not JSON data' }
        : formatResult(node, format)
  if (formatted?.ok) {
    const lines = [`result (${format}):`, ...formatted.lines]
    return { whole: lines.join('\n'), note: '', cut: (maxChars) => cutLines(lines, maxChars) }
  }
  const cut = (maxChars: number): string => {
    const room = maxChars - LABEL.length
    if (node === undefined || room < 40) return cutText(`${LABEL}${resultText}`, maxChars)
    return LABEL + cutJson(node, room)
  }
  return { whole: LABEL + resultText, note: formatted === undefined ? '' : `note: ${formatted.reason}`, cut }
}

function cutNote(
  { logs, runId, resultText }: AnswerFacts,
  node: JsonNode | undefined,
  path: string,
  length: number,
): string {
  const shapes = [
    ...(logs.length > 0 ? [`${logs.length} printed lines`] : []),
    ...(node !== undefined ? [`result ${shapeText(node)}`] : resultText !== undefined ? ['result as text'] : []),
  ]
  return (
    `[cut: all of it (${length} characters: ${shapes.join(', ')}) is in ${path}; ` +
    `page it with readToolFile, or results.load("${runId}") in a program]`
  )
}

/** One JSON object, split into lines for paging. The result is exact. */
function wholeOutput({ logs, resultText }: AnswerFacts, node: JsonNode | undefined): string {
  const lines = logs.map((line) => JSON.stringify(line)).join(',\n')
  const result = node !== undefined ? pagedText(node) : resultText === undefined ? 'null' : JSON.stringify(resultText)
  return `{"logs":[\n${lines}\n],\n"result":\n${result}}\n`
}
