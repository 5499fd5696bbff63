// Writes TypeScript's run-time constructs as JavaScript, like TypeScript's own compiler: enums become objects,
// parameter properties become properties. Invariant: programs see the same keys, order and values as with that
// compiler.

import type { Retext } from './retext.js'

/** A node of the parser for types. */
export interface TypedNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

interface Member extends TypedNode {
  readonly id: TypedNode
  readonly initializer?: TypedNode
}

/**
 * `enum E { A, B = 'b' }` → `const E=(()=>{const E={}; E[E["A"]=0]="A"; E["B"] = 'b'; return E})();`
 */
export function enumWritten(node: TypedNode, text: Retext): void {
  const id = node.id as TypedNode
  const name = String(id.name)
  const members = node.members as readonly Member[]
  text.replace(node.start, id.start, ';const ')
  const first = members[0]?.start ?? node.end - 1
  text.replace(id.end, first, `=(()=>{const ${name}={};`)
  const earlier = new Set<string>()
  let next: string | undefined = '0'
  for (const [i, member] of members.entries()) {
    const key = String(member.id.name ?? member.id.value)
    const own = `${name}[${JSON.stringify(key)}]`
    const { initializer } = member
    if (initializer === undefined) {
      text.replace(member.start, member.end, `${name}[${own}=${next}]=${JSON.stringify(key)};`)
      next = following(next ?? own, own)
    } else {
      const isText = /^(?:Literal|TemplateLiteral)$/.test(initializer.type) && typeof initializer.value !== 'number'
      text.replace(member.start, initializer.start, isText ? `${own}=` : `${name}[${own}=`)
      qualify(initializer, { name, earlier, text })
      text.insert(initializer.end, isText ? ';' : `]=${JSON.stringify(key)};`)
      next = following(numberIn(initializer) === undefined ? own : `${numberIn(initializer)! - 0}`, own)
    }
    earlier.add(key)
    text.replace(member.end, members[i + 1]?.start ?? node.end - 1, '')
  }
  text.replace(node.end - 1, node.end, `return ${name}})();`)
}

/** The value of a member without an initialiser, after a member with this value. */
function following(value: string, own: string): string {
  return /^-?\d+$/.test(value) ? `${Number(value) + 1}` : `${own}+1`
}

function numberIn(node: TypedNode): number | undefined {
  if (node.type === 'Literal' && typeof node.value === 'number') return node.value
  const inner =
    node.type === 'UnaryExpression' && node.operator === '-' ? numberIn(node.argument as TypedNode) : undefined
  return inner === undefined ? undefined : -inner
}

/** Replaces the bare names of members that were declared before. */
function qualify(
  value: TypedNode,
  known: { readonly name: string; readonly earlier: ReadonlySet<string>; readonly text: Retext },
): void {
  const open = [value]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type !== 'Identifier') {
      for (const inner of innerNodes(node)) if (!isName(node, inner)) open.push(inner)
    } else if (known.earlier.has(String(node.name))) known.text.insert(node.start, `${known.name}.`)
  }
}

function isName(node: TypedNode, inner: TypedNode): boolean {
  return node.type === 'MemberExpression' && node.property === inner && node.computed !== true
}

/**
 * `constructor(private x: number) {}` becomes `x;` at the head of the class, and `this.x=x;` where the constructor
 * begins, or after its call of `super`.
 */
export function propertiesWritten(body: TypedNode, text: Retext): void {
  const members = body.body as readonly TypedNode[]
  const made = members.find((one) => one.type === 'MethodDefinition' && one.kind === 'constructor' && bodyOf(one))
  if (made === undefined) return
  const parameters = (made.value as { readonly params: readonly TypedNode[] }).params
  const names = parameters.filter((one) => one.type === 'TSParameterProperty').map((one) => nameIn(one))
  if (names.length === 0) return
  text.insert(body.start + 1, names.map((name) => `${name};`).join(''))
  const within = bodyOf(made)!
  const called = (within.body as readonly TypedNode[]).find(isSuperCall)
  text.insert(called?.end ?? within.start + 1, `;${names.map((name) => `this.${name}=${name};`).join('')}`)
}

function bodyOf(method: TypedNode): TypedNode | undefined {
  return ((method.value as TypedNode | null)?.body ?? undefined) as TypedNode | undefined
}

function nameIn(property: TypedNode): string {
  const parameter = property.parameter as TypedNode
  return String((parameter.type === 'AssignmentPattern' ? (parameter.left as TypedNode) : parameter).name)
}

function isSuperCall(node: TypedNode): boolean {
  const call = node.type === 'ExpressionStatement' ? (node.expression as TypedNode) : undefined
  return call?.type === 'CallExpression' && (call.callee as TypedNode).type === 'Super'
}

export function innerNodes(node: TypedNode): TypedNode[] {
  const isNode = (value: unknown): value is TypedNode =>
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}
