// Finds the declaration of every name in a program, or that there is none. Knows JavaScript's scopes in strict code,
// and no tools.
// Invariant: every identifier that is read or written is in `bindingOf` or in `free`, never in both.

import type { Identifier } from 'acorn'
import { childrenOf, type FunctionNode, isFunction, type Node, type Tree } from './tree.js'

export interface Binding {
  readonly name: string
  readonly kind: 'var' | 'let' | 'const' | 'function' | 'class' | 'parameter' | 'catch'
  /** The identifier that declares it. */
  readonly declared: Node
  /** The initial value: an expression, or the function that it names. */
  readonly value: Node | undefined
  /** The places that write to it after its declaration. */
  readonly writes: Identifier[]
  /** The places that read it. */
  readonly reads: Set<Identifier>
}

export interface Scopes {
  readonly bindingOf: ReadonlyMap<Node, Binding>
  /** Names that nothing in the program declares, in the order of the text. */
  readonly free: readonly { readonly id: Identifier; readonly isWrite: boolean }[]
  /** Declarations outside every function and block. */
  readonly topLevel: ReadonlyMap<string, Binding>
  /** Every name that is declared or mentioned anywhere. */
  readonly names: ReadonlySet<string>
}

interface Scope {
  readonly names: Map<string, Binding>
  readonly outer: Scope | undefined
}

export function scopesOf(tree: Tree): Scopes {
  return new Resolver(tree).scopes()
}

class Resolver {
  readonly #bindingOf = new Map<Node, Binding>()
  readonly #free: { id: Identifier; isWrite: boolean }[] = []
  readonly #names = new Set<string>()
  readonly #top: Scope = { names: new Map(), outer: undefined }
  /** Steps to take next, in the order of the text. The tree may be too high for recursive functions. */
  #soon: (() => void)[] = []

  constructor(tree: Tree) {
    for (const node of tree.nodes) if (node.type === 'Identifier') this.#names.add(node.name)
    const { body } = tree.program
    this.#hoistVars(body as Node[], this.#top)
    this.#hoistLexicals(body as Node[], this.#top)
    for (const statement of body) this.#visit(statement, this.#top)
    const open = this.#soon.reverse()
    for (let task = open.pop(); task !== undefined; task = open.pop()) {
      this.#soon = []
      task()
      for (let i = this.#soon.length - 1; i >= 0; i--) open.push(this.#soon[i]!)
    }
  }

  scopes(): Scopes {
    return { bindingOf: this.#bindingOf, free: this.#free, topLevel: this.#top.names, names: this.#names }
  }

  #declare(scope: Scope, id: Identifier, kind: Binding['kind'], value: Node | undefined): void {
    const known = scope.names.get(id.name)
    // `var x` twice, or a redeclared parameter: one variable, whose value is unknown.
    if (known !== undefined) {
      known.writes.push(id)
      this.#bindingOf.set(id, known)
      return
    }
    const binding: Binding = {
      name: id.name,
      kind,
      declared: id,
      value,
      writes: [],
      reads: new Set(),
    }
    scope.names.set(id.name, binding)
    this.#bindingOf.set(id, binding)
  }

  /** Declares the names in a pattern. */
  #declarePattern(scope: Scope, pattern: Node, kind: Binding['kind'], value?: Node): void {
    switch (pattern.type) {
      case 'Identifier':
        this.#declare(scope, pattern, kind, value)
        return
      case 'ObjectPattern':
        for (const p of pattern.properties)
          this.#declarePattern(scope, p.type === 'RestElement' ? p.argument : p.value, kind)
        return
      case 'ArrayPattern':
        for (const element of pattern.elements) if (element !== null) this.#declarePattern(scope, element, kind)
        return
      case 'AssignmentPattern':
        this.#declarePattern(scope, pattern.left, kind)
        return
      case 'RestElement':
        this.#declarePattern(scope, pattern.argument, kind)
        return
      default:
    }
  }

  /** Declares `var` names, which reach up to the enclosing function. */
  #hoistVars(nodes: readonly Node[], scope: Scope): void {
    const open = nodes.toReversed()
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (isFunction(node) || node.type === 'ClassDeclaration' || node.type === 'ClassExpression') continue
      if (node.type === 'VariableDeclaration' && node.kind === 'var')
        for (const { id, init } of node.declarations) this.#declarePattern(scope, id, 'var', init ?? undefined)
      if (/Statement|SwitchCase|CatchClause|Program/.test(node.type))
        for (const inner of childrenOf(node).reverse()) open.push(inner)
    }
  }

  #hoistLexicals(statements: readonly Node[], scope: Scope): void {
    for (const s of statements) {
      const node = s.type === 'ExportNamedDeclaration' && s.declaration ? (s.declaration as Node) : s
      if (node.type === 'VariableDeclaration' && node.kind !== 'var')
        for (const { id, init } of node.declarations)
          this.#declarePattern(scope, id, node.kind as 'let' | 'const', init ?? undefined)
      else if (node.type === 'FunctionDeclaration' && node.id) this.#declare(scope, node.id, 'function', node)
      else if (node.type === 'ClassDeclaration' && node.id) this.#declare(scope, node.id, 'class', undefined)
      else if (node.type === 'ImportDeclaration')
        for (const one of node.specifiers) this.#declare(scope, one.local, 'const', undefined)
    }
  }

  #visitAll(nodes: readonly (Node | null | undefined)[], scope: Scope): void {
    for (const node of nodes) if (node) this.#visit(node, scope)
  }

  #visit(node: Node, scope: Scope): void {
    this.#soon.push(() => this.#enter(node, scope))
  }

  #enter(node: Node, scope: Scope): void {
    if (isFunction(node)) return this.#visitFunction(node, scope)
    switch (node.type) {
      case 'Identifier':
        return this.#mention(node, scope, 'read')
      case 'MemberExpression':
        return this.#visitAll([node.object, node.computed ? node.property : undefined], scope)
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        return this.#visitAll([node.computed ? node.key : undefined, node.value], scope)
      case 'LabeledStatement':
        return this.#visit(node.body, scope)
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ImportDeclaration':
        return
      case 'ExportNamedDeclaration':
        return this.#visitAll([node.declaration], scope)
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          this.#visitPattern(id, scope, 'declaration')
          if (init) this.#visit(init, scope)
        }
        return
      case 'AssignmentExpression':
        this.#visitPattern(node.left, scope, node.operator === '=' ? 'write' : 'update')
        return this.#visit(node.right, scope)
      case 'UpdateExpression':
        return this.#visitPattern(node.argument, scope, 'update')
      default:
        return this.#enterScope(node, scope)
    }
  }

  /** Visits a node in its own scope if it has one, otherwise its children. */
  #enterScope(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#visitBlock(node.body, scope)
      case 'SwitchStatement': {
        this.#visit(node.discriminant, scope)
        const inner = this.#inside(scope)
        for (const one of node.cases) this.#hoistLexicals(one.consequent, inner)
        return this.#visitAll(node.cases, inner)
      }
      case 'ForStatement': {
        const inner = this.#inside(scope)
        if (node.init) this.#hoistLexicals([node.init], inner)
        return this.#visitAll([node.init, node.test, node.update, node.body], inner)
      }
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = this.#inside(scope)
        if (node.left.type === 'VariableDeclaration') {
          this.#hoistLexicals([node.left], inner)
          this.#visit(node.left, inner)
        } else this.#visitPattern(node.left, inner, 'write')
        return this.#visitAll([node.right, node.body], inner)
      }
      case 'CatchClause': {
        const inner = this.#inside(scope)
        if (node.param) {
          this.#declarePattern(inner, node.param, 'catch')
          this.#visitPattern(node.param, inner, 'declaration')
        }
        this.#hoistLexicals(node.body.body, inner)
        return this.#visitAll(node.body.body, inner)
      }
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const inner = this.#inside(scope)
        if (node.type === 'ClassExpression' && node.id) this.#declare(inner, node.id, 'class', undefined)
        return this.#visitAll([node.superClass, node.body], inner)
      }
      default:
        return this.#visitAll(childrenOf(node), scope)
    }
  }

  #inside(outer: Scope): Scope {
    return { names: new Map(), outer }
  }

  #visitBlock(body: readonly Node[], scope: Scope): void {
    const inner = this.#inside(scope)
    this.#hoistLexicals(body, inner)
    this.#visitAll(body, inner)
  }

  #visitFunction(node: FunctionNode, outer: Scope): void {
    let scope = this.#inside(outer)
    if (node.type === 'FunctionExpression' && node.id) {
      this.#declare(scope, node.id, 'function', node)
      scope = this.#inside(scope)
    }
    for (const p of node.params) this.#declarePattern(scope, p, 'parameter')
    for (const p of node.params) this.#visitPattern(p, scope, 'declaration')
    const { body } = node
    if (body.type !== 'BlockStatement') return this.#visit(body, scope)
    // Visited later, because parameters can't refer to declarations of the body.
    this.#soon.push(() => {
      this.#hoistVars(body.body, scope)
      this.#hoistLexicals(body.body, scope)
      this.#visitAll(body.body, scope)
    })
  }

  /**
   * Visits a target. Its declarations are known already. Defaults and computed keys are read, and so are the objects of
   * members.
   */
  #visitPattern(pattern: Node, scope: Scope, as: 'declaration' | 'write' | 'update'): void {
    this.#soon.push(() => this.#enterPattern(pattern, scope, as))
  }

  #enterPattern(pattern: Node, scope: Scope, as: 'declaration' | 'write' | 'update'): void {
    switch (pattern.type) {
      case 'Identifier':
        if (as !== 'declaration') this.#mention(pattern, scope, as)
        return
      case 'ObjectPattern':
        for (const p of pattern.properties) {
          if (p.type === 'RestElement') this.#visitPattern(p.argument, scope, as)
          else {
            if (p.computed) this.#visit(p.key, scope)
            this.#visitPattern(p.value, scope, as)
          }
        }
        return
      case 'ArrayPattern':
        for (const element of pattern.elements) if (element !== null) this.#visitPattern(element, scope, as)
        return
      case 'AssignmentPattern':
        this.#visitPattern(pattern.left, scope, as)
        return this.#visit(pattern.right, scope)
      case 'RestElement':
        return this.#visitPattern(pattern.argument, scope, as)
      default:
        return this.#visit(pattern, scope)
    }
  }

  #mention(id: Identifier, scope: Scope, as: 'read' | 'write' | 'update'): void {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
      const binding = at.names.get(id.name)
      if (binding === undefined) continue
      this.#bindingOf.set(id, binding)
      if (as !== 'write') binding.reads.add(id)
      if (as !== 'read') binding.writes.push(id)
      return
    }
    this.#free.push({ id, isWrite: as !== 'read' })
  }
}
