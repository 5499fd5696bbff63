// What can be assigned to, bound, deleted. Knows the two dialects' rules about targets, and judges trees that are
// already parsed.

import { type Fault, messages } from './messages.js'
import type { Expression } from './nodes.js'
import { constants, type Parser } from './parser.js'

export type TargetUse = 'assign' | 'augment' | 'annotate' | 'delete'

const verbs: Readonly<Record<TargetUse, string>> = {
  assign: 'assign to',
  augment: 'use an augmented assignment on',
  annotate: 'annotate',
  delete: 'delete',
}

/** Reports what is wrong with `target` as the target of `use`. */
export function checkTarget(p: Parser, target: Expression, use: TargetUse): void {
  if (target.kind !== 'StarredExpr') judge(p, target, use)
  else report(p, target, use === 'delete' ? cannot(target, use) : messages.starredAlone())
}

function judge(p: Parser, target: Expression, use: TargetUse): void {
  switch (target.kind) {
    case 'Identifier':
      if (!p.strict && constants.has(target.name)) report(p, target, cannot(target, use))
      return
    case 'DotExpr':
    case 'IndexExpr':
      return
    case 'SliceExpr':
      p.affordance('sliceTarget', target.start, target.end)
      return
    case 'ParenExpr':
      judge(p, target.expression, use)
      return
    case 'TupleExpr':
    case 'ListExpr':
      if (use === 'augment' || use === 'annotate') report(p, target, cannot(target, use))
      else judgeAll(p, target.elements, use)
      return
    default:
      report(p, target, cannot(target, use))
  }
}

function judgeAll(p: Parser, targets: readonly Expression[], use: TargetUse): void {
  let starred = 0
  for (const target of targets) {
    if (target.kind !== 'StarredExpr' || use === 'delete') {
      judge(p, target, use)
      continue
    }
    starred++
    if (starred === 2) report(p, target, messages.starredTwice())
    judge(p, target.value, use)
  }
}

function report(p: Parser, { start, end }: Expression, fault: Fault): void {
  p.faults.report(fault, start, end)
}

function cannot(node: Expression, use: TargetUse): Fault {
  const dash =
    node.kind === 'BinaryExpr' &&
    node.operator === '-' &&
    node.right.kind === 'Identifier' &&
    node.left.end + 1 === node.right.start
  return messages.cannotAssign(noun(node), verbs[use], dash ? 'names are written with _ instead of -' : undefined)
}

function noun(node: Expression): string {
  switch (node.kind) {
    case 'Identifier':
      return node.name
    case 'IntLiteral':
    case 'FloatLiteral':
      return 'a number'
    case 'StringLiteral':
    case 'BytesLiteral':
      return 'a literal'
    case 'FString':
      return 'an f-string'
    case 'EllipsisLiteral':
      return "'...'"
    case 'ListExpr':
      return 'a list'
    case 'TupleExpr':
      return 'a tuple'
    case 'SetExpr':
      return 'a set display'
    case 'DictExpr':
      return 'a dict display'
    case 'Comprehension':
      return node.form === 'generator' ? 'a generator expression' : 'a comprehension'
    case 'CondExpr':
      return 'a conditional expression'
    case 'LambdaExpr':
      return 'a lambda'
    case 'UnaryExpr':
    case 'BinaryExpr':
    case 'LogicalExpr':
      return 'an operation'
    case 'CompareExpr':
      return 'a comparison'
    case 'CallExpr':
      return 'the result of a call'
    case 'NamedExpr':
      return "':='"
    case 'AwaitExpr':
      return 'await'
    case 'YieldExpr':
      return 'yield'
    case 'StarredExpr':
      return 'a starred expression'
    case 'ParenExpr':
      return noun(node.expression)
    case 'DotExpr':
    case 'IndexExpr':
    case 'SliceExpr':
      return 'it'
  }
}
