// Functions (specification: Function definitions, Lambda expressions). A function becomes a JavaScript function with
// one JavaScript parameter per parameter, in the order of the guest's calling convention (prelude/calls/signature.ts);
// an absent argument is `undefined` and takes its default. A function that is used as a value carries its signature;
// one that is only ever called by name needs none.

import { ANY } from '../infer/types.js'
import { quote } from '../quote.js'
import { directArity, formalOfParameters } from '../resolve/bind-arguments.js'
import { frameOf, isKnownFunction } from '../resolve/index.js'
import type { DefStmt, Expression, LambdaExpr, Parameter, Statement } from '../syntax/nodes.js'
import { FOR_INTS, STEPS } from './calls.js'
import { captureBlock, declarations, type Generation, newFrame } from './context.js'
import { runsLater } from './read-ahead/roles.js'
import { DIRECT, lastCall } from './read-ahead/statements.js'

export function define(g: Generation, fn: DefStmt): void {
  const binding = g.bindingOf(fn.name)!
  const forInts = g.facts.inference.forInts(fn)
  if (forInts !== undefined) {
    g.frame.variables.add(`${binding.js}${FOR_INTS}`)
    const outer = g.typeOf
    g.typeOf = (e) => forInts.types.get(e) ?? ANY
    g.out.push(`${binding.js}${FOR_INTS} = ${functionCode(g, fn, fn.name.name).text};`)
    g.typeOf = outer
  }
  const code = functionCode(g, fn, fn.name.name)
  if (g.facts.roles !== undefined && !runsLater(fn)) defineEntries(g, fn, code)
  else definePlain(g, fn, code)
  if (!g.facts.concurrency.isStepping(fn)) return
  const steps = `${binding.js}${STEPS}`
  g.frame.variables.add(steps)
  g.out.push(`${steps} = ${functionCode(g, fn, fn.name.name, code.defaults).text};`)
  g.out.push(`${g.helper('stepping')}(${binding.js}, ${steps});`)
}

function definePlain(g: Generation, fn: DefStmt, code: FunctionCode): void {
  const binding = g.bindingOf(fn.name)!
  if (isKnownFunction(binding) && !binding.usedAsValue && g.facts.dialect.recursion && !g.facts.freezes) {
    g.out.push(`${binding.js} = ${code.text};`)
    return
  }
  g.out.push(`${binding.js} = ${defined(g, fn, code, code.text)};`)
}

/** Where the program runs ahead, generated code calls a known function directly; everybody else enters it. */
function defineEntries(g: Generation, fn: DefStmt, code: FunctionCode): void {
  const binding = g.bindingOf(fn.name)!
  let text = code.text
  if (isKnownFunction(binding)) {
    const direct = `${binding.js}${DIRECT}`
    g.frame.variables.add(direct)
    g.out.push(`${direct} = ${code.text};`)
    text = direct
  }
  g.out.push(`${binding.js} = ${defined(g, fn, code, `${g.helper('entered')}(${text})`)};`)
}

export function lambda(g: Generation, e: LambdaExpr): string {
  const code = functionCode(g, e, g.facts.dialect.strict ? 'lambda' : '<lambda>')
  const text = g.facts.roles === undefined || runsLater(e) ? code.text : `${g.helper('entered')}(${code.text})`
  const made = defined(g, e, code, text)
  if (!g.facts.concurrency.isStepping(e)) return made
  return `${g.helper('stepping')}(${made}, ${functionCode(g, e, '<lambda>', code.defaults).text})`
}

/** A function with its signature, and with what else the program may ask for. */
function defined(g: Generation, fn: DefStmt | LambdaExpr, code: FunctionCode, text: string): string {
  const made = `${g.helper('define')}(${text}, ${code.signature}${holdings(g, fn, code)})`
  if (g.facts.signatures === undefined) return made
  const kinds = { positional: fn.parameters.some((p) => p.form === 'slash') ? 0 : 1 }
  const parameters: string[] = []
  const annotations: string[] = []
  for (const p of fn.parameters) {
    if (p.form === 'slash') kinds.positional = 1
    if (p.form === 'star' || p.form === 'args') kinds.positional = 3
    if (p.name === undefined) continue
    const kind = p.form === 'args' ? 2 : p.form === 'kwargs' ? 4 : kinds.positional
    parameters.push(`[${[quote(p.name.name), kind, ...(p.default ? [code.defaults.get(p)] : [])].join(', ')}]`)
    if (p.annotation) annotations.push(quote(p.name.name), annotationValue(g, p.annotation))
  }
  if (fn.kind === 'DefStmt' && fn.returns) annotations.push('"return"', annotationValue(g, fn.returns))
  const isAsync = fn.kind === 'DefStmt' && fn.isAsync
  const kind = isAsync ? (fn.yields ? 'async_generator' : 'coroutine') : fn.yields ? 'generator' : ''
  return `${g.helper('describedAs')}(${made}, [${parameters.join(', ')}], [${annotations.join(', ')}], ${quote(kind)})`
}

/** What an annotation stands for, or its text where the program puts that off. */
export function annotationValue(g: Generation, e: Expression): string {
  const texts = g.facts.signatures?.texts
  return texts === undefined ? g.expression(e) : quote(texts.slice(e.start, e.end))
}

/** Where values can be frozen: what freezing a function freezes with it, its defaults and what it captured. */
function holdings(g: Generation, fn: DefStmt | LambdaExpr, code: FunctionCode): string {
  if (!g.facts.freezes) return ''
  const held = new Set(code.defaults.values())
  for (const binding of g.facts.resolution.scopeOf.get(fn)?.captures ?? [])
    if (binding.scope !== undefined && frameOf(binding.scope).kind === 'function') held.add(binding.js)
  return held.size === 0 ? '' : `, () => [${[...held].join(', ')}]`
}

interface FunctionCode {
  readonly text: string
  /** The variable of its signature. */
  readonly signature: string
  /** The values that stand for absent arguments. */
  readonly defaults: ReadonlyMap<Parameter, string>
}

/** With `steps`, the defaults of its usual form: in the form in which `parallel` and executors run it. */
function functionCode(
  g: Generation,
  fn: DefStmt | LambdaExpr,
  name: string,
  steps?: FunctionCode['defaults'],
): FunctionCode {
  const inSteps = steps !== undefined
  const formal = formalOfParameters(fn.parameters)
  const defaults = steps ?? defaultValues(g, fn.parameters)
  const qualified = g.qualifiers.length === 0 ? undefined : [...g.qualifiers, name].join('.')
  const signature = g.signature(
    name,
    formal,
    directArity(formal),
    qualified,
    g.facts.docOf(fn.kind === 'DefStmt' ? fn.body : undefined),
  )
  const outer = g.frame
  const outerLoops = g.loops
  const outerSelf = g.self
  const outerCoroutine = g.inCoroutine
  const outerLater = g.runsLater
  const outerSuspends = g.suspends
  const generates = fn.yields
  const awaits = fn.kind === 'DefStmt' && fn.isAsync && !generates
  g.inCoroutine = awaits
  g.runsLater = generates || awaits || inSteps
  g.suspends = awaits || inSteps
  g.frame = newFrame(false)
  g.loops = []
  const parameters = fn.parameters.filter((p) => p.name !== undefined)
  const names = parameters.map((p) => g.bindingOf(p.name!)!.js)
  const own = new Set(names)
  if (fn.kind === 'DefStmt' && g.bindingOf(fn.name)?.scope?.kind === 'class') g.self = names[0]
  const defaulted = captureBlock(g, () => {
    for (const p of parameters) {
      const d = defaults.get(p)
      if (d !== undefined)
        g.out.push(`if (${g.bindingOf(p.name!)!.js} === undefined) ${g.bindingOf(p.name!)!.js} = ${d};`)
    }
  })
  if (!g.facts.dialect.strict) g.qualifiers.push(name, '<locals>')
  const body = captureBlock(g, () => {
    if (!generates && !awaits && defaulted !== '') g.out.push(defaulted)
    if (fn.kind === 'LambdaExpr') g.out.push(returned(g, fn.body))
    else {
      g.block(fn.body)
      if (canFallThrough(fn.body)) g.out.push('return null;')
    }
  })
  if (!g.facts.dialect.strict) g.qualifiers.length -= 2
  for (const js of g.facts.localNames(fn)) if (!own.has(js)) g.frame.variables.add(js)
  const head = declarations(g.frame)
  g.frame = outer
  g.loops = outerLoops
  g.self = outerSelf
  g.inCoroutine = outerCoroutine
  g.runsLater = outerLater
  g.suspends = outerSuspends
  // The JavaScript name appears in stack traces, from which call traces are read.
  const label = `f_${name.replace(/[^A-Za-z0-9_]/g, '$')}`
  const guard =
    g.facts.dialect.recursion || inSteps
      ? g.facts.countsCalls
        ? counted(g, fn, body)
        : body
      : `${g.helper('beginCall')}(${signature}); try {\n${body}\n} finally { ${signature}.active = false; }`
  if (generates || awaits) {
    // The arguments are bound by the call, the body runs when its values are asked for.
    const inner = `(function* ${label}() {${head}\n${body}\n})()`
    return {
      text: `function ${label}(${names.join(', ')}) {\n${defaulted}\nreturn ${g.helper(awaits ? 'coroutine' : 'generator')}(${quote(name)}, ${inner});\n}`,
      signature,
      defaults,
    }
  }
  return {
    text: `function${inSteps ? '*' : ''} ${label}(${names.join(', ')}) {${head}\n${guard}\n}`,
    signature,
    defaults,
  }
}

/**
 * What is called through an operator, an attribute or a decorator takes about three times the stack of a plain call.
 */
const HEAVY = 3

function counted(g: Generation, fn: DefStmt | LambdaExpr, body: string): string {
  const isHeavy = fn.kind === 'DefStmt' && (fn.decorators.length > 0 || /^__(?!init__)\w+__$/.test(fn.name.name))
  const depth = g.helper('depth')
  const weight = isHeavy ? HEAVY : 1
  return `if (${depth}.now >= ${depth}.most) ${g.helper('tooDeep')}();\n${depth}.now += ${weight}; try {\n${body}\n} finally { ${depth}.now -= ${weight}; }`
}

export function returned(g: Generation, e: LambdaExpr['body']): string {
  const value = g.expression(e)
  // In tail position the engine reports the place of `return`.
  return `${g.mark(lastCall(g, e))}return ${value};`
}

/** Default values are computed once, when the function is made, and kept beside it. */
function defaultValues(g: Generation, parameters: readonly Parameter[]): Map<Parameter, string> {
  const out = new Map<Parameter, string>()
  for (const p of parameters) {
    if (p.default === undefined) continue
    const value = g.expression(p.default)
    if (/^(?:-?\d+(?:\.\d+)?|null|true|false|"(?:[^"\\]|\\.)*"|k\d+)$/.test(value)) {
      out.set(p, value)
      continue
    }
    const name = g.blockConstant()
    g.out.push(`const ${name} = ${value};`)
    out.set(p, name)
  }
  return out
}

/** Does control reach the end of this block? A "no" is certain. */
function canFallThrough(body: readonly Statement[]): boolean {
  const last = body[body.length - 1]
  if (last === undefined) return true
  switch (last.kind) {
    case 'ReturnStmt':
    case 'RaiseStmt':
      return false
    case 'IfStmt':
      return last.orelse.length === 0 || canFallThrough(last.body) || canFallThrough(last.orelse)
    default:
      return true
  }
}
