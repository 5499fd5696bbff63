// Statements that bring names in from elsewhere: `import`, `from … import …` and Starlark's `load`. They load nothing;
// they are parsed exactly so that later stages can accept or refuse them by name.

import { Expressions } from './expressions.js'
import { messages } from './messages.js'
import type { Argument, CallExpr, Identifier, ImportFromStmt, ImportStmt, LoadStmt, Statement } from './nodes.js'
import * as T from './tokens.js'

export abstract class Imports extends Expressions {
  private loadIsOurs: boolean | undefined

  // ---- import ----

  protected importStatement(): ImportStmt | ImportFromStmt {
    this.affordance('import')
    return this.kind === T.IMPORT ? this.import() : this.importFrom()
  }

  private import(): ImportStmt {
    const { start } = this
    const names: ImportStmt['names'][number][] = []
    do {
      this.next()
      const path = this.path()
      const alias = this.alias()
      names.push(alias ? { path, alias } : { path })
    } while (this.kind === T.COMMA)
    if (this.kind === T.FROM) this.unexpected('end of line', 'write: from module import name')
    return { kind: 'ImportStmt', start, end: this.previousEnd, names }
  }

  private importFrom(): ImportFromStmt {
    const { start } = this
    this.next()
    let level = 0
    while (this.kind === T.DOT || this.kind === T.ELLIPSIS) {
      level += this.kind === T.DOT ? 1 : 3
      this.next()
    }
    const path = level > 0 && this.kind === T.IMPORT ? [] : this.path()
    this.expect(T.IMPORT, "'import'")
    const star = this.eat(T.STAR)
    const names = star ? [] : this.importedNames()
    return { kind: 'ImportFromStmt', start, end: this.previousEnd, path, level, star, names }
  }

  private importedNames(): ImportFromStmt['names'] {
    const names: ImportFromStmt['names'][number][] = []
    const bracket = this.eat(T.LPAREN)
    do {
      if (bracket && names.length > 0 && this.kind === T.RPAREN) break
      const name = this.identifier('a name to import')
      const alias = this.alias()
      names.push(alias ? { name, alias } : { name })
    } while (this.eat(T.COMMA))
    if (bracket) this.expect(T.RPAREN, "',' or ')'")
    return names
  }

  private path(): Identifier[] {
    const path = [this.identifier('a module name')]
    while (this.eat(T.DOT)) path.push(this.identifier("a name after '.'"))
    return path
  }

  private alias(): Identifier | undefined {
    return this.eat(T.AS) ? this.identifier('a name after as') : undefined
  }

  // ---- load ----

  /** A load statement of strict mode, where load is a keyword. */
  protected loadStatement(): Statement {
    const { start } = this
    this.next()
    if (this.kind !== T.LPAREN) this.unexpected("'(' after load")
    const args = this.arguments(false)
    const { end } = this
    this.next()
    const module = args[0]
    if (module?.form !== 'positional' || module.value.kind !== 'StringLiteral') {
      this.fail(
        messages.loadForm('the first operand of load must be a string literal'),
        module?.start ?? start,
        module?.end ?? end,
      )
    }
    if (args.length === 1) this.fail(messages.loadForm('load must name at least one symbol'), start, end)
    const bindings = args.slice(1).map((argument) => this.loadBinding(argument))
    return { kind: 'LoadStmt', start, end, module: module.value, bindings }
  }

  private loadBinding({ form, name, value, start, end }: Argument): LoadStmt['bindings'][number] {
    if ((form !== 'positional' && form !== 'named') || value.kind !== 'StringLiteral') {
      this.fail(messages.loadForm('an operand of load must be "name" or localname="name"'), start, end)
    }
    const original = value.value
    const local: Identifier = name ?? { kind: 'Identifier', start: value.start, end: value.end, name: original }
    return { local, original }
  }

  /**
   * Outside strict mode load is an ordinary name: a call of it is a load statement unless the program binds the name
   * itself.
   */
  protected asLoad(call: CallExpr): LoadStmt | undefined {
    if (call.callee.kind !== 'Identifier' || call.callee.name !== 'load') return undefined
    const [module, ...names] = call.arguments
    if (module?.form !== 'positional' || module.value.kind !== 'StringLiteral' || names.length === 0) return undefined
    const bindings: LoadStmt['bindings'][number][] = []
    for (const { form, name, value } of names) {
      if ((form !== 'positional' && form !== 'named') || value.kind !== 'StringLiteral') return undefined
      const local: Identifier = name ?? { kind: 'Identifier', start: value.start, end: value.end, name: value.value }
      bindings.push({ local, original: value.value })
    }
    this.loadIsOurs ??= !/\b(?:def|as|for)\s+load\b|\bload\s*=(?!=)|[(,]\s*load\s*[,):]/.test(this.text)
    if (!this.loadIsOurs) return undefined
    return { kind: 'LoadStmt', start: call.start, end: call.end, module: module.value, bindings }
  }
}
