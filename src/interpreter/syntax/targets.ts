// Checks the targets of assignments, deletions and annotations by the rules of both dialects.

import { type Fault, messages } from './messages.js'
import type { Expression } from './nodes.js'
import { constants, type Parser } from './parser.js'

type TargetUse = 'assign' | 'augment' | 'annotate' | 'delete'

const verbs: Readonly<Record<TargetUse, string>> = {
  assign: 'assign to',
  augment: 'use an augmented assignment on',
  annotate: 'annotate',
  delete: 'delete',
}

/** Reports the mistakes in `target`, which is used as `use`. */
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
    case 'Comprehension':
      return node.form === 'generator' ? 'a generator expression' : 'a comprehension'
    case 'ParenExpr':
      return noun(node.expression)
    default:
      return nouns[node.kind]
  }
}

const nouns: Readonly<Record<Exclude<Expression['kind'], 'Identifier' | 'Comprehension' | 'ParenExpr'>, string>> = {
  IntLiteral: 'a number',
  FloatLiteral: 'a number',
  StringLiteral: 'a literal',
  BytesLiteral: 'a literal',
  FString: 'an f-string',
  EllipsisLiteral: "'...'",
  ListExpr: 'a list',
  TupleExpr: 'a tuple',
  SetExpr: 'a set display',
  DictExpr: 'a dict display',
  CondExpr: 'a conditional expression',
  LambdaExpr: 'a lambda',
  UnaryExpr: 'an operation',
  BinaryExpr: 'an operation',
  LogicalExpr: 'an operation',
  CompareExpr: 'a comparison',
  CallExpr: 'the result of a call',
  NamedExpr: "':='",
  AwaitExpr: 'await',
  YieldExpr: 'yield',
  StarredExpr: 'a starred expression',
  DotExpr: 'it',
  IndexExpr: 'it',
  SliceExpr: 'it',
}
