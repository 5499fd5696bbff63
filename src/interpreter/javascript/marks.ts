// Inserts marks into the guest's text, so that a failure there has a place. The engine records places only for calls,
// members, names and operators. It attributes any other failure (destructuring, `extends 5`) to the last recorded
// place, which may be a line before. A mark is the runtime's bare name: it is recorded and costs next to nothing. Knows
// in which order the engine emits the parts of statements.
// Invariant: a mark does not change a program's behaviour.

import { inherited, isFunction, type Node, type Tree } from './tree.js'

export interface Mark {
  /** The position: a statement in a list of statements, a single one after `if (…)` or a loop, or an expression. */
  readonly kind: 'list' | 'lone' | 'expression'
  /** The node to which a failure without another place is attributed. */
  readonly about: Node
  readonly at: number
  readonly end: number
}

export function marksOf(tree: Tree): Mark[] {
  const marks: Mark[] = []
  const marked = new Set<Node>()
  const statementOf = inherited<Node | undefined>(tree, undefined, (node, parent, outer) => {
    if (isStatement(node)) return withLabels(node, parent, outer)
    return isFunction(parent) || parent.type === 'PropertyDefinition' ? undefined : outer
  })
  for (const node of tree.nodes) {
    if (isPattern(node)) {
      const mark = patternMark(tree, node, { marked, statementOf })
      if (mark !== undefined) marks.push(mark)
    }
    const heritage = node.type === 'ClassDeclaration' || node.type === 'ClassExpression' ? node.superClass : undefined
    if (heritage && !hasOwnPlace(heritage))
      marks.push({ kind: 'expression', about: heritage, at: heritage.start, end: heritage.end })
  }
  return marks
}

export function isPattern(node: Node): boolean {
  return node.type === 'ObjectPattern' || node.type === 'ArrayPattern'
}

/** True if the place of this expression is the last that the engine records for it. */
export function hasOwnPlace(node: Node): boolean {
  return /^(?:Identifier|CallExpression|MemberExpression|NewExpression)$/.test(node.type)
}

/**
 * The mark for a pattern. The engine emits destructuring before the value, so the mark precedes the whole statement. In
 * a `catch` it is at the end of the `try`. Parameters need no mark: the last recorded place is the function's own.
 */
function patternMark(
  tree: Tree,
  pattern: Node,
  { marked, statementOf }: { readonly marked: Set<Node>; readonly statementOf: (node: Node) => Node | undefined },
): Mark | undefined {
  const parent = tree.parentOf(pattern)
  if (parent?.type === 'CatchClause') {
    const tried = tree.parentOf(parent)
    if (tried?.type !== 'TryStatement') return undefined
    const at = tried.block.end - 1
    return { kind: 'list', about: pattern, at, end: at }
  }
  if (!isOutermost(tree, pattern) || !canFailInside(parent, pattern)) return undefined
  const statement = statementOf(pattern)
  if (statement === undefined || marked.has(statement)) return undefined
  marked.add(statement)
  return {
    kind: isListed(tree, statement) ? 'list' : 'lone',
    about: pattern,
    at: statement.start,
    end: statement.end,
  }
}

/** True for the whole pattern of a variable, an assignment or a loop. */
function isOutermost(tree: Tree, pattern: Node): boolean {
  const parent = tree.parentOf(pattern)
  switch (parent?.type) {
    case 'VariableDeclarator':
    case 'ForOfStatement':
      return true
    case 'AssignmentExpression':
      return parent.left === pattern
    default:
      return false
  }
}

/**
 * True if destructuring may fail inside the pattern. A flat object pattern fails only where its value is checked
 * anyway, and an array pattern of an array literal never fails.
 */
function canFailInside(parent: Node | undefined, pattern: Node): boolean {
  const value =
    parent?.type === 'AssignmentExpression'
      ? parent.right
      : parent?.type === 'VariableDeclarator'
        ? (parent.init ?? undefined)
        : undefined
  if (hasPatternInside(pattern) || value === undefined) return true
  if (pattern.type === 'ArrayPattern') return value.type !== 'ArrayExpression'
  return parent?.type === 'AssignmentExpression' || value.type === 'SequenceExpression'
}

function hasPatternInside(node: Node): boolean {
  const isOne = (part: Node | null): boolean => {
    switch (part?.type) {
      case 'ObjectPattern':
      case 'ArrayPattern':
        return true
      case 'AssignmentPattern':
        return isOne(part.left)
      case 'RestElement':
        return isOne(part.argument)
      case 'Property':
        return isOne(part.value)
      default:
        return false
    }
  }
  if (node.type === 'ObjectPattern') return node.properties.some((part) => isOne(part))
  return node.type === 'ArrayPattern' && node.elements.some(isOne)
}

/** The statement that a mark can precede: with its labels, or the loop whose head declares variables. */
function withLabels(node: Node, parent: Node, outer: Node | undefined): Node {
  const isHead =
    node.type === 'VariableDeclaration' && /^For(?:Of|In)?Statement$/.test(parent.type) && !isBody(parent, node)
  return isHead || parent.type === 'LabeledStatement' ? (outer ?? node) : node
}

function isBody(parent: Node, node: Node): boolean {
  return 'body' in parent && parent.body === node
}

function isStatement(node: Node): boolean {
  return /(?:Statement|^VariableDeclaration)$/.test(node.type)
}

export function isListed(tree: Tree, statement: Node): boolean {
  return /^(?:Program|BlockStatement|StaticBlock|SwitchCase)$/.test(tree.parentOf(statement)?.type ?? '')
}
