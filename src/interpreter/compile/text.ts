// String building. f-strings, and `%` and `.format` on literal formats, become concatenations at compile time.

import { BOOL, FLOAT, INT, LIST, NONE, STR } from '../infer/kinds.js'
import { is, isSmallInt } from '../infer/types.js'
import type { BinaryExpr, CallExpr, Expression, FString, FStringPart } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { operands } from './operators.js'

/** The text of a value as str() returns it. */
export function textOf(g: Generation, code: Code, e: Expression): Code {
  const type = g.typeOf(e)
  if (is(type, STR)) return code
  return isSmallInt(type) ? js.numberText(code) : g.help('str', [code], e)
}

export function fString(g: Generation, e: FString): Code {
  const codes = operands(g, fieldsOf(e.parts))
  return js.concatenation(partTexts(g, e.parts, codes.values()))
}

function fieldsOf(parts: readonly FStringPart[]): Expression[] {
  return parts.flatMap((p) => (typeof p === 'string' ? [] : [p.expression, ...fieldsOf(p.spec ?? [])]))
}

type Field = Exclude<FStringPart, string>

const conversions = { r: 'repr', a: 'ascii', s: 'str' } as const

function partTexts(g: Generation, parts: readonly FStringPart[], codes: Iterator<Code>): Code[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return part === '' ? [] : [js.literal(part)]
    const label = part.label === undefined ? [] : [js.literal(part.label)]
    return [...label, fieldText(g, part, codes)]
  })
}

function fieldText(g: Generation, part: Field, codes: Iterator<Code>): Code {
  const code: Code = codes.next().value
  const spec = part.spec === undefined ? undefined : js.concatenation(partTexts(g, part.spec, codes))
  const conversion = part.conversion ?? (part.label !== undefined && spec === undefined ? 'r' : undefined)
  const converted = conversion && g.help(conversions[conversion], [code], part)
  if (spec !== undefined) return g.help('formatValue', [converted ?? code, spec], part)
  if (converted !== undefined) return converted
  return g.facts.formatsItself ? g.help('formatValue', [code, js.literal('')], part) : textOf(g, code, part.expression)
}

/** `"…" % value` with plain %s, %d and %r, if the number of values is known; otherwise undefined. */
export function literalPercent(g: Generation, { operator, left, right }: BinaryExpr): Code | undefined {
  if (operator !== '%' || left.kind !== 'StringLiteral') return undefined
  const pieces = left.value.split(/(%[sdr%])/)
  if (pieces.some((p, i) => i % 2 === 0 && p.includes('%'))) return undefined
  const fields = pieces.filter((p, i) => i % 2 === 1 && p !== '%%')
  const inner = unparenthesised(right)
  const notTuple = INT | FLOAT | STR | BOOL | NONE | LIST
  let values: readonly Expression[]
  let mayBeTuple = false
  if (inner.kind === 'TupleExpr' && inner.elements.every((x) => x.kind !== 'StarredExpr')) values = inner.elements
  else {
    values = [inner]
    mayBeTuple = !is(g.typeOf(inner), notTuple)
  }
  if (values.length !== fields.length || fields.length === 0) return undefined
  const codes = operands(g, values)
  if (!mayBeTuple) return percentText(g, pieces, values, codes)
  // A tuple, or an object of a class that inherits from tuple, would be several values.
  const steps: Code[] = []
  const only = g.out.held(codes[0]!, steps)
  const generic = g.help('mod', [js.literal(left.value), only], right)
  return js.sequence(steps, js.choice(js.hasType(only, 'object'), generic, percentText(g, pieces, values, [only])))
}

function percentText(
  g: Generation,
  pieces: readonly string[],
  values: readonly Expression[],
  codes: readonly Code[],
): Code {
  let next = 0
  return js.concatenation(
    pieces.flatMap((p, i) => {
      if (i % 2 === 0) return p === '' ? [] : [js.literal(p)]
      if (p === '%%') return [js.literal('%')]
      const value = values[next]!
      const code = codes[next++]!
      if (p === '%s' || (p === '%d' && isSmallInt(g.typeOf(value)))) return [textOf(g, code, value)]
      return [g.help(p === '%r' ? 'repr' : 'percentD', [code], value)]
    }),
  )
}

/**
 * `"…".format(…)` with plain fields. Undefined if a field has a conversion, a format or a path, or if the fields do not
 * fit the arguments.
 */
export function literalFormat(g: Generation, format: string, e: CallExpr): Code | undefined {
  if (e.arguments.some((a) => a.form === 'args' || a.form === 'kwargs')) return undefined
  const fields = formatFields(format, e)
  if (fields === undefined) return undefined
  const all = e.arguments.map((a) => a.value)
  const codes = operands(g, all)
  const codeOf = new Map(all.map((x, i) => [x, codes[i]!]))
  const used = fields.filter((f) => typeof f !== 'string')
  // Each argument is evaluated once, in the order of the call, and converted to text in the order of the fields.
  const steps: Code[] = []
  if (used.length !== all.length || used.some((f, i) => f !== all[i])) {
    for (const x of all) {
      if (codeOf.get(x)!.isConstant) continue
      const t = g.out.temporary()
      steps.push(js.assign(t, codeOf.get(x)!))
      codeOf.set(x, t)
    }
  }
  const texts = fields.flatMap((f) =>
    typeof f === 'string' ? (f === '' ? [] : [js.literal(f)]) : [textOf(g, codeOf.get(f)!, f)],
  )
  return js.sequence(steps, js.concatenation(texts))
}

/** The texts of a format, with the arguments between them. */
function formatFields(format: string, e: CallExpr): readonly (string | Expression)[] | undefined {
  const pieces = format.split(/(\{\{|\}\}|\{[A-Za-z_]?\w*\})/)
  if (pieces.some((p, i) => i % 2 === 0 && /[{}]/.test(p))) return undefined
  const positional = e.arguments.filter((a) => a.form === 'positional').map((a) => a.value)
  const named = new Map(e.arguments.filter((a) => a.form === 'named').map((a) => [a.name!.name, a.value]))
  const fields: (string | Expression)[] = []
  let automatic = 0
  let numbered = false
  for (const [i, p] of pieces.entries()) {
    if (i % 2 === 0) fields.push(p)
    else if (p === '{{' || p === '}}') fields.push(p[0]!)
    else {
      const name = p.slice(1, -1)
      const isNumber = /^\d+$/.test(name)
      const value = name === '' ? positional[automatic++] : isNumber ? positional[Number(name)] : named.get(name)
      if (isNumber) numbered = true
      if (value === undefined || (numbered && automatic > 0) || /^0\d/.test(name)) return undefined
      fields.push(value)
    }
  }
  return fields
}
