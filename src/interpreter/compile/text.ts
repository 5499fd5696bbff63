// Text put together: f-strings, and `%` and `.format` on literal formats, become concatenations when the program is
// compiled.

import { BOOL, FLOAT, INT, LIST, NONE, STR } from '../infer/kinds.js'
import { is, isSmallInt } from '../infer/types.js'
import { quote } from '../quote.js'
import type { CallExpr, Expression, FString, FStringPart } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { type Generation, isConstant, isSimple } from './context.js'
import { numberText, withoutText } from './number-text.js'
import { operands } from './operators.js'

/** The text of a value, as str() gives it. */
export function textOf(g: Generation, code: string, e: Expression): string {
  const type = g.typeOf(e)
  if (is(type, STR)) return code
  return isSmallInt(type) ? numberText(code) : `${g.helper('str')}${g.mark(e)}(${code})`
}

export function fString(g: Generation, e: FString): string {
  return concatenation(partCodes(g, e.parts))
}

function fieldsOf(parts: readonly FStringPart[]): Expression[] {
  return parts.flatMap((p) => (typeof p === 'string' ? [] : [p.expression, ...fieldsOf(p.spec ?? [])]))
}

function partCodes(g: Generation, parts: readonly FStringPart[]): string[] {
  const codes = operands(g, fieldsOf(parts))
  let next = 0
  const build = (list: readonly FStringPart[]): string[] =>
    list.flatMap((part) => {
      if (typeof part === 'string') return part === '' ? [] : [quote(part)]
      const code = codes[next++]!
      const spec = part.spec === undefined ? undefined : build(part.spec)
      const label = part.label === undefined ? [] : [quote(part.label)]
      const conversion = part.conversion ?? (part.label !== undefined && spec === undefined ? 'r' : undefined)
      const converted =
        conversion === 'r'
          ? `${g.helper('repr')}${g.mark(part)}(${code})`
          : conversion === 'a'
            ? `${g.helper('ascii')}${g.mark(part)}(${code})`
            : conversion === 's'
              ? `${g.helper('str')}${g.mark(part)}(${code})`
              : undefined
      if (spec !== undefined)
        return [...label, `${g.helper('formatValue')}${g.mark(part)}(${converted ?? code}, ${concatenation(spec)})`]
      const text = g.facts.formatsItself
        ? `${g.helper('formatValue')}${g.mark(part)}(${code}, "")`
        : textOf(g, code, part.expression)
      return [...label, converted ?? text]
    })
  return build(parts)
}

function concatenation(codes: readonly string[]): string {
  if (codes.length === 0) return '""'
  if (codes.length === 1) return codes[0]!
  // What stands behind a text becomes text by itself.
  return `(${codes.map((c, i) => (i > 0 ? withoutText(c) : c)).join(' + ')})`
}

/** `"…" % value` with plain %s, %d and %r, when the number of values is known; undefined otherwise. */
export function literalPercent(g: Generation, format: string, right: Expression): string | undefined {
  const pieces = format.split(/(%[sdr%])/)
  if (pieces.some((p, i) => i % 2 === 0 && p.includes('%'))) return undefined
  const conversions = pieces.filter((p, i) => i % 2 === 1 && p !== '%%')
  const inner = unparenthesised(right)
  const notTuple = INT | FLOAT | STR | BOOL | NONE | LIST
  let values: readonly Expression[]
  let mayBeTuple = false
  if (inner.kind === 'TupleExpr' && inner.elements.every((x) => x.kind !== 'StarredExpr')) values = inner.elements
  else {
    values = [inner]
    mayBeTuple = !is(g.typeOf(inner), notTuple)
  }
  if (values.length !== conversions.length || conversions.length === 0) return undefined
  const codes = operands(g, values)
  if (!mayBeTuple) return percentPieces(g, pieces, values, codes)
  // A tuple would be several values, and so would an object of a class over tuples.
  const only = isSimple(codes[0]!) ? codes[0]! : g.temporary()
  const setup = only === codes[0] ? '' : `${only} = ${codes[0]}, `
  const generic = `${g.helper('mod')}${g.mark(right)}(${quote(format)}, ${only})`
  return `(${setup}typeof ${only} === 'object' ? ${generic} : ${percentPieces(g, pieces, values, [only])})`
}

function percentPieces(
  g: Generation,
  pieces: readonly string[],
  values: readonly Expression[],
  codes: readonly string[],
): string {
  let next = 0
  return concatenation(
    pieces.flatMap((p, i) => {
      if (i % 2 === 0) return p === '' ? [] : [quote(p)]
      if (p === '%%') return [quote('%')]
      const value = values[next]!
      const code = codes[next++]!
      if (p === '%s' || (p === '%d' && isSmallInt(g.typeOf(value)))) return [textOf(g, code, value)]
      return [`${g.helper(p === '%r' ? 'repr' : 'percentD')}${g.mark(value)}(${code})`]
    }),
  )
}

/**
 * `"…".format(…)` with plain fields; undefined when a field has a conversion, a format or a path, or the fields do not
 * fit the arguments.
 */
export function literalFormat(g: Generation, format: string, e: CallExpr): string | undefined {
  if (e.arguments.some((a) => a.form === 'args' || a.form === 'kwargs')) return undefined
  const pieces = format.split(/(\{\{|\}\}|\{[A-Za-z_]?\w*\})/)
  if (pieces.some((p, i) => i % 2 === 0 && /[{}]/.test(p))) return undefined
  const positional = e.arguments.filter((a) => a.form === 'positional').map((a) => a.value)
  const named = new Map(e.arguments.filter((a) => a.form === 'named').map((a) => [a.name!.name, a.value]))
  const fields: (string | Expression)[] = []
  let automatic = 0
  let numbered = false
  for (let i = 0; i < pieces.length; i++) {
    const p = pieces[i]!
    if (i % 2 === 0) fields.push(p)
    else if (p === '{{' || p === '}}') fields.push(p[0]!)
    else {
      const name = p.slice(1, -1)
      const value =
        name === '' ? positional[automatic++] : /^\d+$/.test(name) ? positional[Number(name)] : named.get(name)
      if (/^\d+$/.test(name)) numbered = true
      if (value === undefined || (numbered && automatic > 0) || /^0\d/.test(name)) return undefined
      fields.push(value)
    }
  }
  const all = e.arguments.map((a) => a.value)
  const codes = operands(g, all)
  const codeOf = new Map(all.map((x, i) => [x, codes[i]!]))
  const used = fields.filter((f) => typeof f !== 'string')
  // Each argument is evaluated exactly once, in the order of the call, and made text in the order of the fields.
  const setup: string[] = []
  if (used.length !== all.length || used.some((f, i) => f !== all[i])) {
    for (const x of all) {
      if (isConstant(codeOf.get(x)!)) continue
      const t = g.temporary()
      setup.push(`${t} = ${codeOf.get(x)!}, `)
      codeOf.set(x, t)
    }
  }
  const text = concatenation(
    fields.flatMap((f) => (typeof f === 'string' ? (f === '' ? [] : [quote(f)]) : [textOf(g, codeOf.get(f)!, f)])),
  )
  return setup.length === 0 ? text : `(${setup.join('')}${text})`
}
