// TypeScript's annotations taken out of a program. Only looked at when the program is no JavaScript. What would mean something at run time (enums,
// namespaces with values, parameters that become properties) is refused by name.
// Invariant: the erased text has the length and the lines of the original, and differs from it only by spaces and semicolons.

import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Options, Parser } from 'acorn'
import { type Fault, faultOf } from './faults.js'

export type Erased = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: Fault }

/** What the plugin's nodes have beyond acorn's. */
interface TypedNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const TypedParser = Parser.extend(tsPlugin())

/** Undefined when the text is not TypeScript either. */
export function typesErased(text: string, options: Options): Erased | undefined {
  let program: TypedNode
  try {
    program = TypedParser.parse(text, { ...options, locations: true }) as unknown as TypedNode
  } catch (error) {
    faultOf(error, text)
    return undefined
  }
  const eraser = new Eraser(text)
  eraser.visit(program)
  return eraser.fault === undefined ? { ok: true, text: eraser.erased() } : { ok: false, fault: eraser.fault }
}

const ERASED = [
  'TSTypeAnnotation',
  'TSTypeParameterDeclaration',
  'TSTypeParameterInstantiation',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSIndexSignature',
  'TSAbstractMethodDefinition',
]

const REFUSED: Readonly<Record<string, readonly [what: string, instead: string]>> = {
  TSEnumDeclaration: ['an enum', 'write an object: const Color = { Red: "red" }'],
  TSModuleDeclaration: ['a namespace', 'write an object with functions'],
  TSParameterProperty: ['a parameter that becomes a property', 'assign it in the constructor: this.x = x'],
  TSImportEqualsDeclaration: ['import =', 'programs import nothing'],
  TSExportAssignment: ['export =', 'assign to `result` or return a value'],
  Decorator: ['a decorator', 'call the function yourself'],
}

class Eraser {
  fault: Fault | undefined
  readonly #text: string
  readonly #gone: { readonly start: number; readonly end: number; readonly by: string }[] = []

  constructor(text: string) {
    this.#text = text
  }

  erased(): string {
    let out = ''
    let from = 0
    for (const { start, end, by } of [...this.#gone].sort((a, b) => a.start - b.start)) {
      if (start < from) continue
      const blank = this.#text.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, ' ')
      out += this.#text.slice(from, start) + by + blank.slice(by.length)
      from = end
    }
    return out + this.#text.slice(from)
  }

  visit(node: TypedNode): void {
    const refused = REFUSED[node.type]
    if (refused !== undefined && node.declare !== true) {
      const [what, hint] = refused
      this.fault ??= {
        message: `${what} is not available: types are left out, and this is more than a type`,
        start: node.start,
        end: node.start + 1,
        hint,
      }
      return
    }
    if (ERASED.includes(node.type) || node.declare === true) return this.#erase(node.start, node.end)
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression': {
        const inner = node.expression as TypedNode
        this.#erase(this.#afterParentheses(inner.end), node.end)
        return this.visit(inner)
      }
      case 'TSTypeAssertion': {
        const inner = node.expression as TypedNode
        this.#erase(node.start, inner.start)
        return this.visit(inner)
      }
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.abstract === true || (node.value as TypedNode | null)?.type === 'TSDeclareFunction')
          return this.#erase(node.start, node.end)
        this.#modifiers(node)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#heritage(node)
        break
      case 'ExportNamedDeclaration': {
        const declared = node.declaration as TypedNode | null
        const isType = declared !== null && (ERASED.includes(declared.type) || declared.declare === true)
        if (node.exportKind === 'type' || isType) return this.#erase(node.start, node.end)
        break
      }
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        this.#receiver(node)
        break
      case 'ImportDeclaration':
        if (node.importKind === 'type') return this.#erase(node.start, node.end)
        break
      default:
    }
    if (node.optional === true && node.type === 'Identifier') this.#mark(node, '?')
    if (node.definite === true) this.#mark(node, '!')
    for (const inner of innerNodes(node)) this.visit(inner)
  }

  /** `this: T` in front of the parameters. */
  #receiver(node: TypedNode): void {
    const [first, second] = node.params as readonly TypedNode[]
    if (first?.type !== 'Identifier' || first.name !== 'this') return
    const comma = this.#text.indexOf(',', first.end)
    this.#erase(first.start, second === undefined || comma < 0 ? first.end : comma + 1)
  }

  /** `private readonly x?: T`: the words before the name and the mark behind it. */
  #modifiers(node: TypedNode): void {
    const key = node.key as TypedNode
    const head = this.#text.slice(node.start, key.start)
    for (const match of head.matchAll(/\b(?:public|private|protected|readonly|override|declare)\b/g))
      this.#erase(node.start + match.index, node.start + match.index + match[0].length)
    if (node.optional === true || node.definite === true) this.#mark(key, node.optional === true ? '?' : '!')
  }

  /** `implements A, B` and `abstract`. */
  #heritage(node: TypedNode): void {
    const body = node.body as TypedNode
    const head = this.#text.slice(node.start, body.start)
    const kept = /\bimplements\b/.exec(head)
    if (kept !== null) this.#erase(node.start + kept.index, body.start)
    if (/^abstract\b/.test(head)) this.#erase(node.start, node.start + 'abstract'.length)
    const parameters = node.superTypeParameters as TypedNode | undefined
    if (parameters) this.#erase(parameters.start, parameters.end)
  }

  /** The sign right behind a name. */
  #mark(node: TypedNode, sign: string): void {
    const name = /^[\p{L}\p{Nd}_$]+/u.exec(this.#text.slice(node.start))?.[0] ?? ''
    const at = this.#text.indexOf(sign, node.start + name.length)
    if (at >= 0 && this.#text.slice(node.start + name.length, at).trim() === '') this.#erase(at, at + 1)
  }

  #afterParentheses(from: number): number {
    const closing = /^(?:\s*\))*/.exec(this.#text.slice(from))![0]
    return from + closing.length
  }

  #erase(start: number, end: number): void {
    // A declaration that is gone must not join the statements around it.
    const by = /^(?:interface|type|declare|abstract|function|export)\b/.test(this.#text.slice(start, end)) ? ';' : ''
    this.#gone.push({ start, end, by })
  }
}

function innerNodes(node: TypedNode): TypedNode[] {
  const isNode = (value: unknown): value is TypedNode =>
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}
