// Converts TypeScript to JavaScript. Used only if the program does not parse as JavaScript. Annotations are removed.
// Enums and parameter properties become JavaScript (write-out-types.ts). Other constructs that have an effect at run
// time (namespaces with values, decorators) are refused by name.
// Invariant: lines stay the same, and every position in the new text has one in the original.

import type { Options } from 'acorn'
import { type Fault, faultOf } from './faults.js'
import { parsers } from './read-parsers.js'
import { Retext } from './retext.js'
import { enumWritten, innerNodes, propertiesWritten, type TypedNode } from './write-out-types.js'

type Erased =
  | { readonly ok: true; readonly text: Retext }
  | {
      readonly ok: false
      readonly fault: Fault
      /** True if the text is TypeScript that programs may not use. */
      readonly isRefusal: boolean
    }

/** Removes the types of a text. Returns a fault if the text is not TypeScript either. */
export function typesErased(text: string, options: Options): Erased {
  let program: TypedNode
  try {
    program = parsers().TypedParser.parse(text, { ...options, locations: true }) as unknown as TypedNode
  } catch (error) {
    return { ok: false, fault: faultOf(error, text), isRefusal: false }
  }
  const eraser = new Eraser(text)
  const open = [program]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const inner = eraser.visit(node)
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i]!)
  }
  return eraser.fault === undefined
    ? { ok: true, text: eraser.text }
    : { ok: false, fault: eraser.fault, isRefusal: true }
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
  TSModuleDeclaration: ['a namespace', 'write an object with functions'],
  TSImportEqualsDeclaration: ['import =', 'programs import nothing'],
  TSExportAssignment: ['export =', 'assign to `result` or return a value'],
  Decorator: ['a decorator', 'call the function yourself'],
}

function isTypeAlone(node: TypedNode): boolean {
  return ERASED.includes(node.type) || node.declare === true
}

/** True for JavaScript constructs that serve types alone here: a method without a body, the import of a type. */
function isForTypes(node: TypedNode): boolean {
  switch (node.type) {
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return node.abstract === true || (node.value as TypedNode | null)?.type === 'TSDeclareFunction'
    case 'ExportNamedDeclaration': {
      const declared = node.declaration as TypedNode | null
      return node.exportKind === 'type' || (declared !== null && isTypeAlone(declared))
    }
    default:
      return node.type === 'ImportDeclaration' && node.importKind === 'type'
  }
}

/** True for a namespace that contains nothing at run time. */
function holdsTypesAlone(node: TypedNode): boolean {
  if (node.type !== 'TSModuleDeclaration') return false
  const body = node.body as TypedNode
  if (body.type === 'TSModuleDeclaration') return holdsTypesAlone(body)
  return (body.body as readonly TypedNode[]).every((one) => {
    const declared = one.type === 'ExportNamedDeclaration' ? (one.declaration as TypedNode | null) : one
    return declared !== null && (isTypeAlone(declared) || holdsTypesAlone(declared))
  })
}

class Eraser {
  fault: Fault | undefined
  readonly text: Retext
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.text = new Retext(text)
  }

  /** Handles a node. Returns the nodes to visit next. */
  visit(node: TypedNode): readonly TypedNode[] {
    const refused = REFUSED[node.type]
    if (refused !== undefined && node.declare !== true && !holdsTypesAlone(node)) return this.#refuse(node, refused)
    if (refused !== undefined || isTypeAlone(node)) return this.#erase(node.start, node.end)
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression': {
        const inner = node.expression as TypedNode
        this.#erase(this.#afterParentheses(inner.end), node.end)
        return [inner]
      }
      case 'TSTypeAssertion': {
        const inner = node.expression as TypedNode
        this.#erase(node.start, inner.start)
        return [inner]
      }
      case 'TSEnumDeclaration':
        enumWritten(node, this.text)
        return []
      case 'TSParameterProperty': {
        const parameter = node.parameter as TypedNode
        // In acorn a parameter with a default begins at its modifiers.
        const name = parameter.type === 'AssignmentPattern' ? (parameter.left as TypedNode) : parameter
        this.#erase(node.start, name.start)
        return [parameter]
      }
      default:
        return isForTypes(node) ? this.#erase(node.start, node.end) : this.#kept(node)
    }
  }

  #refuse({ start }: TypedNode, [what, hint]: readonly [what: string, instead: string]): readonly TypedNode[] {
    const message = `${what} is not available: types are left out, and this is more than a type`
    this.fault ??= { message, start, end: start + 1, hint }
    return []
  }

  /** Handles a construct that JavaScript has, by removing its TypeScript parts. */
  #kept(node: TypedNode): readonly TypedNode[] {
    switch (node.type) {
      case 'ClassBody':
        propertiesWritten(node, this.text)
        break
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#modifiers(node)
        break
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#heritage(node)
        break
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        this.#receiver(node)
        break
      default:
    }
    if (node.optional === true && node.type === 'Identifier') this.#mark(node, '?')
    if (node.definite === true) this.#mark(node, '!')
    return innerNodes(node)
  }

  /** Removes `this: T` before the parameters. */
  #receiver(node: TypedNode): void {
    const [first, second] = node.params as readonly TypedNode[]
    if (first?.type !== 'Identifier' || first.name !== 'this') return
    const comma = second === undefined ? -1 : this.#text.indexOf(',', first.end)
    this.#erase(first.start, comma < 0 ? first.end : comma + 1)
  }

  /** `private readonly x?: T`: removes the words before the name and the mark after it. */
  #modifiers(node: TypedNode): void {
    const key = node.key as TypedNode
    const head = this.#text.slice(node.start, key.start)
    for (const match of head.matchAll(/\b(?:public|private|protected|readonly|override|declare)\b/g))
      this.#erase(node.start + match.index, node.start + match.index + match[0].length)
    if (node.optional === true || node.definite === true) this.#mark(key, node.optional === true ? '?' : '!')
  }

  /** Removes `implements A, B` and `abstract`. */
  #heritage(node: TypedNode): void {
    const body = node.body as TypedNode
    const head = this.#text.slice(node.start, body.start)
    const kept = /\bimplements\b/.exec(head)
    if (kept !== null) this.#erase(node.start + kept.index, body.start)
    if (/^abstract\b/.test(head)) this.#erase(node.start, node.start + 'abstract'.length)
    const parameters = node.superTypeParameters as TypedNode | undefined
    if (parameters) this.#erase(parameters.start, parameters.end)
  }

  /** Removes the sign directly after a name. */
  #mark(node: TypedNode, sign: string): void {
    const marked = /[\p{L}\p{Nd}_$]*\s*/uy
    marked.lastIndex = node.start
    const at = node.start + marked.exec(this.#text)![0].length
    if (this.#text.startsWith(sign, at)) this.#erase(at, at + 1)
  }

  #afterParentheses(from: number): number {
    const closing = /(?:\s*\))*/y
    closing.lastIndex = from
    return from + closing.exec(this.#text)![0].length
  }

  #erase(start: number, end: number): readonly TypedNode[] {
    // The statements around a removed declaration must not join.
    const by = /^(?:interface|type|declare|abstract|function|export|namespace|module)\b/.test(
      this.#text.slice(start, end),
    )
      ? ';'
      : ''
    this.text.blank(start, end, by)
    return []
  }
}
