// Calls of tools that the program names. Their text for the host (foreign.ts) is written here as far as it is known;
// only values are inserted in the run.
// Invariant: every argument is evaluated before the first one is written, which may fail.

import { isSmallInt } from '../infer/types.js'
import type { Argument, CallExpr } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { operands } from './operators.js'

/** The names of a namespace and of its function, as they are sent. */
type Tool = readonly [space: string, member: string]

/** A call that the program waits for. Undefined if its arguments are gathered in the run. */
export function waitingCall(g: Generation, e: CallExpr, tool: Tool): Code | undefined {
  const text = callText(g, e, tool)
  return text && g.help('askTool', [text, ...tool.map(js.literal)], e)
}

/** The text of a call, after the words `before`. Undefined if its arguments are gathered in the run. */
export function callText(g: Generation, e: CallExpr, tool: Tool, before = ''): Code | undefined {
  if (e.arguments.some(({ form }) => form === 'args' || form === 'kwargs')) return undefined
  const steps: Code[] = []
  const values = inOrder(g, e, steps)
  const pieces: Code[] = []
  let words = `${before}{"namespace":${JSON.stringify(tool[0])},"member":${JSON.stringify(tool[1])},"positional":[`
  const firstNamed = e.arguments.findIndex(({ form }) => form === 'named')
  e.arguments.forEach((a, i) => {
    if (i === firstNamed) words += NAMED
    else if (i > 0) words += ','
    if (a.name !== undefined) words += `${JSON.stringify(a.name.name)}:`
    const known = literalText(values[i]!)
    if (known !== undefined) words += known
    else {
      pieces.push(js.literal(words), valueText(g, e, tool, [a, values[i]!, i]))
      words = ''
    }
  })
  const end = firstNamed < 0 ? `${NAMED}}}` : '}}'
  return js.sequence(steps, js.concatenation([...pieces, js.literal(words + end)]))
}

const NAMED = '],"named":{'

/** The values of the arguments in a form that can be read one by one after `steps`. */
function inOrder(g: Generation, e: CallExpr, steps: Code[]): readonly Code[] {
  const values = operands(
    g,
    e.arguments.map((a) => a.value),
  )
  if (values.slice(1).every((value) => value.isSimple)) return values
  return values.map((value) => {
    if (value.isConstant) return value
    const t = g.out.temporary()
    steps.push(js.assign(t, value))
    return t
  })
}

/** The JSON text of a literal that every engine writes alike. */
function literalText({ literal }: Code): string | undefined {
  if (literal === undefined || (typeof literal === 'number' && !Number.isInteger(literal))) return undefined
  return JSON.stringify(literal)
}

type Given = readonly [argument: Argument, value: Code, index: number]

function valueText(g: Generation, e: CallExpr, [space, member]: Tool, [{ name, value: node }, value, i]: Given): Code {
  if (isSmallInt(g.typeOf(node))) return js.numberText(value)
  const called = js.literal(name === undefined ? i + 1 : name.name)
  return g.help('argumentText', [value, js.literal(space), js.literal(member), called], e)
}
