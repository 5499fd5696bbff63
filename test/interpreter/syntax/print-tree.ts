// A syntax tree as one line of text per statement, for tests to compare. `python-trees.py` prints CPython's trees the
// same way.

import type {
  Argument,
  ComprehensionClause,
  Expression,
  FStringPart,
  Parameter,
  Pattern,
  Statement,
} from '../../../dist/interpreter/syntax/index.js'

export interface Notation {
  /** Prints in the form of CPython's trees, which have no parentheses, join `a or b or c`, and hold exact floats. */
  readonly likePython: boolean
}

const plain: Notation = { likePython: false }

/** The statements of a program or block, one per line, blocks in braces. */
export function printTree(statements: readonly Statement[], notation: Notation = plain): string {
  return statements.map((statement) => new Printer(notation).statement(statement)).join('\n')
}

class Printer {
  readonly #notation: Notation

  constructor(notation: Notation) {
    this.#notation = notation
  }

  statement(node: Statement): string {
    const e = (expression: Expression) => this.expression(expression)
    const block = (body: readonly Statement[]) => `{${body.map((s) => this.statement(s)).join('; ')}}`
    const optional = (before: string, expression: Expression | undefined) => (expression ? before + e(expression) : '')
    const isAsync = 'isAsync' in node && node.isAsync ? 'async ' : ''
    switch (node.kind) {
      case 'DefStmt': {
        const returns = optional('->', node.returns)
        const decorators = list(node.decorators.map(e))
        return `${isAsync}def ${node.name.name}${this.parameters(node.parameters)}${returns}${decorators}${block(node.body)}`
      }
      case 'ClassStmt':
        return `class ${node.name.name}${this.arguments(node.bases)}${list(node.decorators.map(e))}${block(node.body)}`
      case 'IfStmt':
        return `if ${e(node.test)}${block(node.body)}${block(node.orelse)}`
      case 'ForStmt':
        return `${isAsync}for ${e(node.target)} in ${e(node.iterable)}${block(node.body)}${block(node.orelse)}`
      case 'WhileStmt':
        return `while ${e(node.test)}${block(node.body)}${block(node.orelse)}`
      case 'ReturnStmt':
        return `return${optional(' ', node.value)}`
      case 'BreakStmt':
        return 'break'
      case 'ContinueStmt':
        return 'continue'
      case 'PassStmt':
        return 'pass'
      case 'AssignStmt':
        return `${node.targets.map(e).join(' = ')} = ${e(node.value)}`
      case 'AugmentedAssignStmt':
        return `${e(node.target)} ${node.operator}= ${e(node.value)}`
      case 'AnnotatedAssignStmt':
        return `${e(node.target)}: ${e(node.annotation)}${optional(' = ', node.value)}`
      case 'ExprStmt':
        return e(node.expression)
      case 'LoadStmt':
        return `load ${e(node.module)}${list(node.bindings.map((b) => `${b.local.name}=${JSON.stringify(b.original)}`))}`
      case 'ImportStmt':
        return `import ${list(node.names.map((n) => named(n.path.map((p) => p.name).join('.'), n.alias?.name)))}`
      case 'ImportFromStmt': {
        const path = '.'.repeat(node.level) + node.path.map((p) => p.name).join('.')
        return `from ${path} import ${list(node.star ? ['*'] : node.names.map((n) => named(n.name.name, n.alias?.name)))}`
      }
      case 'TryStmt': {
        const handlers = node.handlers.map(
          (h) => `except ${optional('', h.type)}${h.name ? ` as ${h.name.name}` : ''}${block(h.body)}`,
        )
        return `try${block(node.body)}${handlers.join('')}${block(node.orelse)}${block(node.finalbody)}`
      }
      case 'RaiseStmt':
        return `raise${optional(' ', node.exception)}${optional(' from ', node.cause)}`
      case 'AssertStmt':
        return `assert ${e(node.test)}${optional(', ', node.message)}`
      case 'DelStmt':
        return `del ${list(node.targets.map(e))}`
      case 'GlobalStmt':
        return `global ${node.names.map((n) => n.name).join(' ')}`
      case 'NonlocalStmt':
        return `nonlocal ${node.names.map((n) => n.name).join(' ')}`
      case 'WithStmt': {
        const items = node.items.map((item) => e(item.context) + optional(' as ', item.target))
        return `${isAsync}with ${list(items)}${block(node.body)}`
      }
      case 'MatchStmt': {
        const cases = node.cases.map(
          (c) => `case ${this.pattern(c.pattern)}${optional(' if ', c.guard)}${block(c.body)}`,
        )
        return `match ${e(node.subject)}{${cases.join('; ')}}`
      }
    }
  }

  pattern(node: Pattern): string {
    const p = (pattern: Pattern) => this.pattern(pattern)
    switch (node.kind) {
      case 'ValuePattern':
        return this.expression(node.value)
      case 'ConstantPattern':
        return node.name
      case 'CapturePattern':
        return `(name ${node.name?.name ?? '_'})`
      case 'StarPattern':
        return `(star ${node.name?.name ?? '_'})`
      case 'SequencePattern':
        return `(sequence ${list(node.elements.map(p))})`
      case 'MappingPattern': {
        const entries = node.entries.map((entry) => `${this.expression(entry.key)}:${p(entry.pattern)}`)
        return `(mapping ${list(node.rest ? [...entries, `**${node.rest.name}`] : entries)})`
      }
      case 'ClassPattern': {
        const named = node.named.map((one) => `${one.name.name}=${p(one.pattern)}`)
        return `(class ${this.expression(node.callee)}${list([...node.positional.map(p), ...named])})`
      }
      case 'OrPattern':
        return `(| ${node.alternatives.map(p).join(' ')})`
      case 'AsPattern':
        return `(as ${p(node.pattern)} ${node.name.name})`
    }
  }

  expression(node: Expression): string {
    const e = (expression: Expression) => this.expression(expression)
    switch (node.kind) {
      case 'Identifier':
        return node.name
      case 'IntLiteral':
        return this.#notation.likePython ? `0x${node.value.toString(16)}` : String(node.value)
      case 'FloatLiteral':
        return this.#notation.likePython ? `float:${bits(node.value)}` : `float:${node.value}`
      case 'StringLiteral':
        return quoted(node.value)
      case 'BytesLiteral':
        return `bytes:${node.value.join(',')}`
      case 'FString':
        return `f${this.parts(node.parts)}`
      case 'EllipsisLiteral':
        return '...'
      case 'ListExpr':
        return `(list ${list(node.elements.map(e))})`
      case 'TupleExpr':
        return `(tuple ${list(node.elements.map(e))})`
      case 'SetExpr':
        return `(set ${list(node.elements.map(e))})`
      case 'DictExpr':
        return `(dict ${list(node.entries.map((n) => (n.key ? `${e(n.key)}:` : '**') + e(n.value)))})`
      case 'Comprehension': {
        const value = node.value ? `:${e(node.value)}` : ''
        return `(${node.form} comprehension ${e(node.element)}${value}${this.clauses(node.clauses)})`
      }
      case 'CondExpr':
        return `(if ${e(node.test)} ${e(node.body)} ${e(node.orelse)})`
      case 'LambdaExpr':
        return `(lambda ${this.parameters(node.parameters)}${e(node.body)})`
      case 'UnaryExpr':
        return `(${node.operator} ${e(node.operand)})`
      case 'BinaryExpr':
        return `(${node.operator} ${e(node.left)} ${e(node.right)})`
      case 'LogicalExpr':
        return `(${node.operator} ${this.operands(node, node.operator).map(e).join(' ')})`
      case 'CompareExpr':
        return `(${e(node.left)}${node.rest.map((r) => ` ${r.operator} ${e(r.operand)}`).join('')})`
      case 'CallExpr':
        return `(call ${e(node.callee)}${this.arguments(node.arguments)})`
      case 'DotExpr':
        return `(. ${e(node.object)} ${node.name.name})`
      case 'IndexExpr':
        return `(index ${e(node.object)} ${e(node.index)})`
      case 'SliceExpr': {
        const bounds = [node.lower, node.upper, node.step].map((bound) => (bound ? e(bound) : '_'))
        return `(slice ${e(node.object)} ${bounds.join(' ')})`
      }
      case 'StarredExpr':
        return `*${e(node.value)}`
      case 'NamedExpr':
        return `(:= ${e(node.target)} ${e(node.value)})`
      case 'AwaitExpr':
        return `(await ${e(node.value)})`
      case 'YieldExpr':
        return `(yield${node.from ? ' from' : ''}${node.value ? ` ${e(node.value)}` : ''})`
      case 'ParenExpr':
        return this.#notation.likePython ? e(node.expression) : `(paren ${e(node.expression)})`
    }
  }

  private operands(node: Expression & { kind: 'LogicalExpr' }, operator: 'and' | 'or'): Expression[] {
    if (!this.#notation.likePython) return [node.left, node.right]
    const { left, right } = node
    return left.kind === 'LogicalExpr' && left.operator === operator
      ? [...this.operands(left, operator), right]
      : [left, right]
  }

  private parameters(parameters: readonly Parameter[]): string {
    const marks = { plain: '', args: '*', kwargs: '**', star: '*', slash: '/' }
    return list(
      parameters.map((p) => {
        const annotation = p.annotation ? `:${this.expression(p.annotation)}` : ''
        const value = p.default ? `=${this.expression(p.default)}` : ''
        return marks[p.form] + (p.name?.name ?? '') + annotation + value
      }),
    )
  }

  private arguments(args: readonly Argument[]): string {
    return list(
      args.map((a) => {
        const mark = { positional: '', named: `${a.name?.name}=`, args: '*', kwargs: '**' }[a.form]
        return mark + this.expression(a.value)
      }),
    )
  }

  private clauses(clauses: readonly ComprehensionClause[]): string {
    return list(
      clauses.map((c) => {
        if (c.kind === 'IfClause') return `if ${this.expression(c.test)}`
        return `${c.isAsync ? 'async ' : ''}for ${this.expression(c.target)} in ${this.expression(c.iterable)}`
      }),
    )
  }

  private parts(parts: readonly FStringPart[]): string {
    const printed: string[] = []
    let text = ''
    const flush = () => {
      if (text !== '') printed.push(quoted(text))
      text = ''
    }
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      // CPython holds the label of a self-documenting field as text.
      const label = part.label ?? ''
      if (this.#notation.likePython) text += label
      flush()
      const shown = this.#notation.likePython || label === '' ? '' : `${quoted(label)} `
      const spec = part.spec ? `:${this.parts(part.spec)}` : ''
      printed.push(
        `{${shown}${this.expression(part.expression)}${part.conversion ? `!${part.conversion}` : ''}${spec}}`,
      )
    }
    flush()
    return list(printed)
  }
}

function list(items: readonly string[]): string {
  return `[${items.join(' ')}]`
}

function named(name: string, alias: string | undefined): string {
  return alias === undefined ? name : `${name} as ${alias}`
}

/** As Python's json.dumps writes it: everything beyond ASCII as escapes of UTF-16 units. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function bits(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}
