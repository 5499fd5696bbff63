// What can be assigned to, bound, deleted. Knows the two dialects' rules about targets, and judges trees that are
// already parsed.

import { constants } from './cursor.js'
import { type Fault, messages } from './messages.js'
import type { Expression } from './nodes.js'

export type TargetUse = 'assign' | 'augment' | 'annotate' | 'delete'

export interface TargetFault {
  readonly fault: Fault
  readonly node: Expression
}

const verbs: Readonly<Record<TargetUse, string>> = {
  assign: 'assign to',
  augment: 'use an augmented assignment on',
  annotate: 'annotate',
  delete: 'delete',
}

/** What is wrong with `target` as the target of `use`. */
export function targetFaults(target: Expression, use: TargetUse, strict: boolean): TargetFault[] {
  const faults: TargetFault[] = []
  if (target.kind === 'StarredExpr') {
    faults.push({ fault: use === 'delete' ? cannot(target, use) : messages.starredAlone(), node: target })
  } else {
    judge(target, use, strict, faults)
  }
  return faults
}

function judge(target: Expression, use: TargetUse, strict: boolean, faults: TargetFault[]): void {
  switch (target.kind) {
    case 'Identifier':
      if (!strict && constants.has(target.name)) faults.push({ fault: cannot(target, use), node: target })
      return
    case 'DotExpr':
    case 'IndexExpr':
      return
    case 'SliceExpr':
      if (strict) faults.push({ fault: messages.notStarlark('sliceTarget'), node: target })
      return
    case 'ParenExpr':
      judge(target.expression, use, strict, faults)
      return
    case 'TupleExpr':
    case 'ListExpr':
      if (use === 'augment' || use === 'annotate') faults.push({ fault: cannot(target, use), node: target })
      else judgeAll(target.elements, use, strict, faults)
      return
    default:
      faults.push({ fault: cannot(target, use), node: target })
  }
}

function judgeAll(targets: readonly Expression[], use: TargetUse, strict: boolean, faults: TargetFault[]): void {
  let starred = 0
  for (const target of targets) {
    if (target.kind !== 'StarredExpr' || use === 'delete') {
      judge(target, use, strict, faults)
      continue
    }
    starred++
    if (starred === 2) faults.push({ fault: messages.starredTwice(), node: target })
    judge(target.value, use, strict, faults)
  }
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
