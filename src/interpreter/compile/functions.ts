// Functions (specification: Function definitions, Lambda expressions). A function becomes a JavaScript function with one JavaScript parameter per
// parameter, in the order of the guest's calling convention (prelude/signature.ts); an absent argument is `undefined` and takes its default.
// A function that is used as a value carries its signature; one that is only ever called by name needs none.

import { frameOf } from '../resolve/index.js'
import type { DefStmt, LambdaExpr, Parameter, Statement } from '../syntax/nodes.js'
import { directArity, formalOfParameters } from './bind-arguments.js'
import { captureBlock, type Frame, type Generation } from './context.js'
import { isKnownFunction } from './infer.js'

export function newFrame(isFile: boolean): Frame {
  return { used: 0, most: 0, variables: new Set(), isFile, exception: undefined }
}

/** The declarations at the top of a function: its temporaries and variables. */
export function declarations(frame: Frame): string {
  const names = [...frame.variables]
  for (let i = 0; i < frame.most; i++) names.push(`t${i}`)
  return names.length === 0 ? '' : `let ${names.join(', ')};`
}

export function define(g: Generation, fn: DefStmt): void {
  const binding = g.bindingOf(fn.name)!
  const code = functionCode(g, fn, fn.name.name)
  if (isKnownFunction(binding) && !binding.usedAsValue && g.dialect.recursion && !g.freezes) {
    g.out.push(`${binding.js} = ${code.text};`)
    return
  }
  g.out.push(`${binding.js} = ${g.helper('define')}(${code.text}, ${code.signature}${holdings(g, fn, code)});`)
}

export function lambda(g: Generation, e: LambdaExpr): string {
  const code = functionCode(g, e, 'lambda')
  return `${g.helper('define')}(${code.text}, ${code.signature}${holdings(g, e, code)})`
}

/** Where values can be frozen: what freezing a function freezes with it, its defaults and what it captured. */
function holdings(g: Generation, fn: DefStmt | LambdaExpr, code: FunctionCode): string {
  if (!g.freezes) return ''
  const held = new Set(code.defaults)
  for (const [id, binding] of g.resolution.bindingOf) {
    if (id.start < fn.start || id.end > fn.end || binding.scope === undefined) continue
    const frame = frameOf(binding.scope)
    if (frame.kind === 'function' && (frame.node.start < fn.start || frame.node.end > fn.end)) held.add(binding.js)
  }
  return held.size === 0 ? '' : `, () => [${[...held].join(', ')}]`
}

interface FunctionCode {
  readonly text: string
  /** The variable of its signature. */
  readonly signature: string
  /** The values that stand for absent arguments. */
  readonly defaults: readonly string[]
}

function functionCode(g: Generation, fn: DefStmt | LambdaExpr, name: string): FunctionCode {
  const formal = formalOfParameters(fn.parameters)
  const defaults = defaultValues(g, fn.parameters)
  const signature = g.signature(name, formal, directArity(formal))
  const outer = g.frame
  const outerLoops = g.loops
  g.frame = newFrame(false)
  g.loops = []
  const parameters = fn.parameters.filter((p) => p.name !== undefined)
  const names = parameters.map((p) => g.bindingOf(p.name!)!.js)
  const own = new Set(names)
  const body = captureBlock(g, () => {
    for (const p of parameters) {
      const d = defaults.get(p)
      if (d !== undefined)
        g.out.push(`if (${g.bindingOf(p.name!)!.js} === undefined) ${g.bindingOf(p.name!)!.js} = ${d};`)
    }
    if (fn.kind === 'LambdaExpr') g.out.push(returned(g, fn.body))
    else {
      g.block(fn.body)
      if (canFallThrough(fn.body)) g.out.push('return null;')
    }
  })
  for (const js of g.localNames(fn)) if (!own.has(js)) g.frame.variables.add(js)
  const head = declarations(g.frame)
  g.frame = outer
  g.loops = outerLoops
  // The JavaScript name appears in stack traces, from which call traces are read.
  const label = `f_${name.replace(/[^A-Za-z0-9_]/g, '$')}`
  const guard = g.dialect.recursion
    ? body
    : `${g.helper('beginCall')}(${signature}); try {\n${body}\n} finally { ${signature}.active = false; }`
  return {
    text: `function ${label}(${names.join(', ')}) {${head}\n${guard}\n}`,
    signature,
    defaults: [...defaults.values()],
  }
}

export function returned(g: Generation, e: LambdaExpr['body']): string {
  const value = g.expression(e)
  // In tail position the engine reports the place of `return`.
  return `${g.mark(e)}return ${value};`
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
