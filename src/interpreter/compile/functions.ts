// Functions (specification: Function definitions, Lambda expressions). A function becomes a JavaScript function with
// one JavaScript parameter for each parameter, in the order of the guest's calling convention
// (prelude/calls/signature.ts). An absent argument is `undefined` and takes its default. A function that is used as a
// value carries its signature. A function that is only called by name needs none.

import { directArity, formalOfParameters } from '../resolve/bind-arguments.js'
import { frameOf, isKnownFunction } from '../resolve/index.js'
import type { DefStmt, Expression, LambdaExpr, Parameter, Statement } from '../syntax/nodes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { runsLater } from './read-ahead/roles.js'
import { lastCall } from './read-ahead/statements.js'

export function define(g: Generation, fn: DefStmt): void {
  const binding = g.bindingOf(fn.name)!
  const forInts = g.facts.inference.forInts(fn)
  if (forInts !== undefined) {
    const { code } = g.within({ types: forInts.types }, () => functionForm(g, fn))
    assignForm(g, g.names.variable(binding, '$int'), code)
  }
  const form = functionForm(g, fn)
  if (g.facts.roles !== undefined && !runsLater(fn)) defineEntries(g, fn, form)
  else definePlain(g, fn, form)
  if (!g.facts.concurrency.isStepping(fn)) return
  const steps = g.names.variable(binding, '$steps')
  assignForm(g, steps, functionForm(g, fn, form.defaults).code)
  g.out.line`${g.help('stepping', [g.names.variable(binding), steps])};`
}

function assignForm(g: Generation, variable: Code, code: Code): void {
  g.out.declare(variable)
  g.out.line`${variable} = ${code};`
}

function definePlain(g: Generation, fn: DefStmt, form: FunctionForm): void {
  const binding = g.bindingOf(fn.name)!
  const isBare = isKnownFunction(binding) && !binding.usedAsValue && g.facts.dialect.recursion && !g.facts.freezes
  g.out.line`${g.names.variable(binding)} = ${isBare ? form.code : madeFunction(g, fn, form, form.code)};`
}

/**
 * Writes a function of a program that runs ahead. Generated code calls a known function directly. All other callers
 * call it through the prelude's `entered`, which settles pending values.
 */
function defineEntries(g: Generation, fn: DefStmt, form: FunctionForm): void {
  const binding = g.bindingOf(fn.name)!
  let entry = form.code
  if (isKnownFunction(binding)) {
    entry = g.names.variable(binding, '$direct')
    assignForm(g, entry, form.code)
  }
  g.out.line`${g.names.variable(binding)} = ${madeFunction(g, fn, form, g.help('entered', [entry]))};`
}

export function lambda(g: Generation, e: LambdaExpr): Code {
  const form = functionForm(g, e)
  const code = g.facts.roles === undefined || runsLater(e) ? form.code : g.help('entered', [form.code])
  const made = madeFunction(g, e, form, code)
  if (!g.facts.concurrency.isStepping(e)) return made
  return g.help('stepping', [made, functionForm(g, e, form.defaults).code])
}

/**
 * A function as a value. If the host can freeze values, it lists those to freeze with it: defaults and captured
 * variables.
 */
function madeFunction(
  g: Generation,
  fn: DefStmt | LambdaExpr,
  { signature, defaults }: FunctionForm,
  code: Code,
): Code {
  const held = new Set(g.facts.freezes ? defaults.values() : [])
  if (g.facts.freezes)
    for (const binding of g.facts.resolution.scopeOf.get(fn)?.captures ?? [])
      if (binding.scope !== undefined && frameOf(binding.scope).kind === 'function') held.add(g.names.variable(binding))
  const made = g.help('define', [code, signature, ...(held.size === 0 ? [] : [js.thunk(js.array([...held]))])])
  return g.facts.signatures === undefined ? made : g.help('describedAs', [made, ...description(g, fn, defaults)])
}

/**
 * The description of a function, for programs that read it: parameters with kinds and defaults, annotations, and the
 * kind of function.
 */
function description(g: Generation, fn: DefStmt | LambdaExpr, defaults: Defaults): readonly Code[] {
  let positional = fn.parameters.some((p) => p.form === 'slash') ? 0 : 1
  const parameters: Code[] = []
  const annotations: Code[] = []
  for (const p of fn.parameters) {
    if (p.form === 'slash') positional = 1
    if (p.form === 'star' || p.form === 'args') positional = 3
    if (p.name === undefined) continue
    const kind = p.form === 'args' ? 2 : p.form === 'kwargs' ? 4 : positional
    const usual = defaults.get(p)
    const name = js.literal(p.name.name)
    parameters.push(js.array([name, js.literal(kind), ...(usual === undefined ? [] : [usual])]))
    if (p.annotation) annotations.push(name, annotationValue(g, p.annotation))
  }
  if (fn.kind === 'DefStmt' && fn.returns) annotations.push(js.literal('return'), annotationValue(g, fn.returns))
  const isAsync = fn.kind === 'DefStmt' && fn.isAsync
  const kind = isAsync ? (fn.yields ? 'async_generator' : 'coroutine') : fn.yields ? 'generator' : ''
  return [js.array(parameters), js.array(annotations), js.literal(kind)]
}

/** The value of an annotation, or its text if the program postpones evaluation. */
export function annotationValue(g: Generation, e: Expression): Code {
  const texts = g.facts.signatures?.texts
  return texts === undefined ? g.expression(e) : js.literal(texts.slice(e.start, e.end))
}

/** The values of absent arguments. */
type Defaults = ReadonlyMap<Parameter, Code>

interface FunctionForm {
  readonly code: Code
  /** The variable of its signature. */
  readonly signature: Code
  readonly defaults: Defaults
}

/**
 * The form of a function. `usual`: the defaults of the usual form; the result is then the form in steps, in which
 * `parallel` and executors run the function.
 */
function functionForm(g: Generation, fn: DefStmt | LambdaExpr, usual?: Defaults): FunctionForm {
  const name = nameOf(g, fn)
  const formal = formalOfParameters(fn.parameters)
  const defaults = usual ?? defaultValues(g, fn.parameters)
  const signature = g.names.signature({
    name,
    formal,
    directArity: directArity(formal),
    qualified: g.around.qualifiers.length === 0 ? undefined : [...g.around.qualifiers, name].join('.'),
    doc: g.facts.docOf(fn.kind === 'DefStmt' ? fn.body : undefined),
  })
  const parameters = fn.parameters.flatMap((p) => (p.name === undefined ? [] : [g.variable(p.name)]))
  const absent = defaultLines(g, defaults)
  const inSteps = usual !== undefined
  const awaits = fn.kind === 'DefStmt' && fn.isAsync && !fn.yields
  const isLater = fn.yields || awaits
  const { declarations, body } = g.within(
    {
      isFile: false,
      breakLabel: undefined,
      exception: undefined,
      inCoroutine: awaits,
      runsLater: isLater || inSteps,
      suspends: awaits || inSteps,
      ...(isMethod(g, fn) ? { self: parameters[0] } : {}),
      ...(g.facts.dialect.strict ? {} : { qualifiers: [...g.around.qualifiers, name, '<locals>'] }),
    },
    () =>
      g.out.inFunction(() => {
        if (!isLater) g.out.add(absent)
        writeBody(g, fn)
        declareLocals(g, fn, parameters)
      }),
  )
  const label = g.names.function(name)
  const code = isLater
    ? laterFunction(g, {
        name,
        label,
        parameters,
        absent,
        declarations,
        body,
        kind: awaits ? 'coroutine' : 'generator',
      })
    : js.functionCode({
        isGenerator: inSteps,
        name: label,
        parameters,
        body: js.fragment`${declarations}\n${guardedBody(g, fn, body, inSteps ? undefined : signature)}\n`,
      })
  return { code, signature, defaults }
}

function nameOf(g: Generation, fn: DefStmt | LambdaExpr): string {
  return fn.kind === 'DefStmt' ? fn.name.name : g.facts.dialect.strict ? 'lambda' : '<lambda>'
}

function isMethod(g: Generation, fn: DefStmt | LambdaExpr): boolean {
  return fn.kind === 'DefStmt' && g.bindingOf(fn.name)?.scope?.kind === 'class'
}

function defaultLines(g: Generation, defaults: Defaults): Fragment {
  return g.out.capture(() => {
    for (const [p, value] of defaults) {
      const variable = g.variable(p.name!)
      g.out.line`if (${js.same(variable, js.UNDEFINED)}) ${variable} = ${value};`
    }
  })
}

function writeBody(g: Generation, fn: DefStmt | LambdaExpr): void {
  if (fn.kind === 'LambdaExpr') return writeReturn(g, fn.body)
  g.block(fn.body)
  if (canFallThrough(fn.body)) g.out.line`return ${js.NULL};`
}

function declareLocals(g: Generation, fn: DefStmt | LambdaExpr, parameters: readonly Code[]): void {
  for (const binding of g.facts.localsOf(fn)) {
    const variable = g.names.variable(binding)
    if (!parameters.includes(variable)) g.out.declare(variable)
  }
}

interface LaterParts {
  readonly name: string
  readonly label: Code
  readonly parameters: readonly Code[]
  readonly absent: Fragment
  readonly declarations: Fragment
  readonly body: Fragment
  /** The helper that makes the value that a call returns. */
  readonly kind: 'coroutine' | 'generator'
}

/** A function whose call binds the arguments, and whose body runs when its values are requested. */
function laterFunction(g: Generation, { name, label, parameters, absent, declarations, body, kind }: LaterParts): Code {
  const inner = js.functionCode({
    isGenerator: true,
    name: label,
    parameters: [],
    body: js.fragment`${declarations}\n${body}\n`,
  })
  const made = g.help(kind, [js.literal(name), js.call(inner, [])])
  return js.functionCode({ name: label, parameters, body: js.fragment`\n${absent}\nreturn ${made};\n` })
}

/** A body that reports its start and end, if the dialect or the program needs that. */
function guardedBody(g: Generation, fn: DefStmt | LambdaExpr, body: Fragment, signature: Code | undefined): Fragment {
  if (g.facts.dialect.recursion || signature === undefined) return g.facts.countsCalls ? counted(g, fn, body) : body
  const end = js.assign(js.property(signature, 'active'), js.FALSE)
  return js.fragment`${g.help('beginCall', [signature])}; try {\n${body}\n} finally { ${end}; }`
}

/** How many plain calls take as much stack as a call through an operator, an attribute or a decorator. */
const HEAVY = 3

function counted(g: Generation, fn: DefStmt | LambdaExpr, body: Fragment): Fragment {
  const isHeavy = fn.kind === 'DefStmt' && (fn.decorators.length > 0 || /^__(?!init__)\w+__$/.test(fn.name.name))
  const depth = g.names.helper('depth')
  const now = js.property(depth, 'now')
  const weight = js.literal(isHeavy ? HEAVY : 1)
  const isTooDeep = js.infix(now, '>=', js.property(depth, 'most'))
  const check = js.fragment`if (${isTooDeep}) ${g.help('tooDeep', [])};\n${now} += ${weight};`
  return js.fragment`${check} try {\n${body}\n} finally { ${now} -= ${weight}; }`
}

export function writeReturn(g: Generation, e: Expression): void {
  const value = g.expression(e)
  // For a call in tail position the engine reports the place of `return`.
  g.out.line`${g.out.mark(lastCall(g, e))}return ${value.text};`
}

/** Writes the default values, which are computed once, when the function is created. */
function defaultValues(g: Generation, parameters: readonly Parameter[]): Defaults {
  const defaults = new Map<Parameter, Code>()
  for (const p of parameters) {
    if (p.default === undefined) continue
    const value = g.expression(p.default)
    if (value.isConstant) defaults.set(p, value)
    else {
      const name = g.names.blockConstant()
      g.out.line`const ${name} = ${value};`
      defaults.set(p, name)
    }
  }
  return defaults
}

/** True if control may reach the end of this block. A "no" is certain. */
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
