// Decides whether a program uses the answers of tools as text or as data (value-flow.ts). `t.splitlines()` and
// `json.loads(t)` use an answer as text; `t["k"]`, `t.get("k")` and `for row in t: row["k"]` use it as data. Values are
// followed through variables, parameters, return values, attributes and containers.

import { bindStatically, formalOf } from '../resolve/bind-arguments.js'
import { type Binding, isKnownFunction, type Resolution } from '../resolve/index.js'
import type {
  BinaryExpr,
  CallExpr,
  ClassStmt,
  Comprehension,
  DefStmt,
  Expression,
  File,
  Identifier,
  LambdaExpr,
  Parameter,
  Statement,
} from '../syntax/nodes.js'
import { forEachExpression, forEachIn, forEachStatement, unparenthesised } from '../syntax/walk.js'
import { type Place, type Readings, ValueFlow } from '../value-flow.js'
import {
  DATA_METHODS,
  HANDING_ON,
  HASHING,
  ITERATING,
  NUMBERING,
  OF_CHARACTERS,
  PARSING,
  STORING,
  TEXT_FUNCTIONS,
  TEXT_METHODS,
} from './reading-words.js'

/** The operations whose result depends on whether an answer is text or data. */
export type Question = 'len' | 'in' | 'iteration' | 'slice' | 'index'

export type StarlarkReadings = Readings<Expression, Question>

const NONE: StarlarkReadings = { answers: new Map(), questions: new Map() }

/** `namespaces`: the names of the host's namespaces, whose functions are tools. */
export function readings(file: File, resolution: Resolution, namespaces: ReadonlySet<string>): StarlarkReadings {
  const callsTools = [...resolution.outside].some((b) => b.kind === 'predeclared' && namespaces.has(b.name))
  return callsTools ? new Reader(file, resolution, namespaces).read() : NONE
}

class Reader {
  readonly #file: File
  readonly #resolution: Resolution
  readonly #namespaces: ReadonlySet<string>
  readonly #variables = new Map<Binding, Place>()
  readonly #attributes = new Map<string, Place>()
  readonly #expressions = new Map<Expression, Place>()
  readonly #values = new ValueFlow<Expression, Question>()
  /** The paths in pre-bound modules that imported names mean. */
  readonly #imported = new Map<Binding, string>()
  readonly #summed = new Set<Expression>()
  readonly #hasSafe: boolean
  /** Expressions in places where the program has tested that they are strings. */
  readonly #asked = new Set<Expression>()
  /** The place of each function's result. */
  readonly #results = new Map<DefStmt | LambdaExpr, Place>()

  constructor(file: File, resolution: Resolution, namespaces: ReadonlySet<string>) {
    this.#file = file
    this.#resolution = resolution
    this.#namespaces = namespaces
    let hasSafe = false
    forEachExpression(file.body, (e) => {
      hasSafe ||= e.kind === 'DotExpr' && e.name.name === 'safe'
    })
    this.#hasSafe = hasSafe
  }

  read(): StarlarkReadings {
    forEachStatement(this.#file.body, (s) => this.#import(s))
    forEachStatement(this.#file.body, (s) => {
      if (s.kind === 'IfStmt') this.#noteAsked(s.test, (visit) => forEachExpression(s.body, visit))
    })
    forEachExpression(this.#file.body, (e) => {
      if (e.kind === 'CondExpr') this.#noteAsked(e.test, (visit) => forEachIn(e.body, visit))
    })
    forEachStatement(this.#file.body, (s) => this.#statement(s))
    forEachExpression(this.#file.body, (e) => this.#expression(e))
    return this.#values.readings()
  }

  /** `isinstance(t, str)`: uses of `t` below this test say nothing about `t` elsewhere. */
  #noteAsked(test: Expression, within: (visit: (e: Expression) => void) => void): void {
    const asked = this.#askedOf(unparenthesised(test))
    if (asked === undefined) return
    within((e) => {
      if (e.kind === 'Identifier' && this.#resolution.bindingOf.get(e) === asked) this.#asked.add(e)
    })
  }

  /** The variable that a test asks about. In `a and b and c` only the first part counts. */
  #askedOf(all: Expression): Binding | undefined {
    let test = all
    while (test.kind === 'LogicalExpr' && test.operator === 'and') test = test.left
    if (test.kind !== 'CallExpr' || test.callee.kind !== 'Identifier' || test.callee.name !== 'isinstance')
      return undefined
    const [of, type] = test.arguments
    const isOfStrings = type?.value.kind === 'Identifier' && type.value.name === 'str'
    return isOfStrings && of?.value.kind === 'Identifier' ? this.#resolution.bindingOf.get(of.value) : undefined
  }

  // ---- places ------------------------------------------------------------------------------------------------------

  /** The place of an expression's value. */
  #of(e: Expression): Place {
    const known = this.#expressions.get(e)
    if (known !== undefined) return known
    const place = this.#values.place()
    this.#expressions.set(e, place)
    const from = this.#comesFrom(e, place)
    if (from !== undefined) this.#values.flow(from, place)
    return place
  }

  #comesFrom(e: Expression, place: Place): Place | undefined {
    switch (e.kind) {
      case 'Identifier':
        return this.#variable(e)
      case 'ParenExpr':
        return this.#of(e.expression)
      case 'AwaitExpr':
      case 'NamedExpr':
        return this.#of(e.value)
      case 'CondExpr':
        this.#values.flow(this.#of(e.body), place)
        return this.#of(e.orelse)
      case 'LogicalExpr': {
        let left: Expression = e
        for (; left.kind === 'LogicalExpr'; left = left.left) this.#values.flow(this.#of(left.right), place)
        return this.#of(left)
      }
      case 'ListExpr':
      case 'SetExpr':
      case 'TupleExpr':
        for (const [i, x] of e.elements.entries()) {
          this.#values.flow(this.#elementOf(x), this.#values.child(place, '*'))
          if (e.kind === 'TupleExpr') this.#values.flow(this.#elementOf(x), this.#values.child(place, `#${i}`))
        }
        return undefined
      case 'DictExpr':
        for (const { key, value } of e.entries) {
          if (key === undefined) this.#values.flow(this.#of(value), place)
          else this.#values.flow(this.#of(value), this.#values.child(place, keyOf(key)))
        }
        return undefined
      case 'Comprehension':
        this.#values.flow(this.#of(e.form === 'dict' ? e.value! : e.element), this.#values.child(place, '*'))
        return undefined
      case 'LambdaExpr':
        this.#function(e, place, 0)
        return undefined
      case 'DotExpr':
        return this.#hasSafe && e.name.name === 'value' ? this.#safeValue(e) : this.#attribute(e.name.name)
      case 'IndexExpr':
        return this.#values.element(this.#of(e.object), keyOf(e.index))
      case 'SliceExpr':
        this.#values.flow(this.#values.element(this.#of(e.object)), this.#values.child(place, '*'))
        return undefined
      case 'CallExpr':
        return this.#call(e, place)
      default:
        return undefined
    }
  }

  /** An attribute `value`, which may be the answer of `tool.safe(…)`. */
  #safeValue(e: Expression & { kind: 'DotExpr' }): Place {
    const value = this.#values.child(this.#of(e.object), '.value')
    this.#values.source(e, value)
    return value
  }

  #elementOf(e: Expression): Place {
    return e.kind === 'StarredExpr' ? this.#values.element(this.#of(e.value)) : this.#of(e)
  }

  #variable(e: Expression & { kind: 'Identifier' }): Place | undefined {
    const binding = this.#resolution.bindingOf.get(e)
    if (binding === undefined || binding.kind === 'universal' || binding.kind === 'predeclared') return undefined
    return this.#values.placeIn(this.#variables, binding)
  }

  #attribute(name: string): Place {
    return this.#values.placeIn(this.#attributes, name)
  }

  #assign(target: Expression, value: Place): void {
    switch (target.kind) {
      case 'ParenExpr':
        return this.#assign(target.expression, value)
      case 'Identifier': {
        const variable = this.#variable(target)
        if (variable !== undefined) this.#values.flow(value, variable)
        return
      }
      case 'DotExpr':
        return this.#values.flow(value, this.#attribute(target.name.name))
      case 'IndexExpr':
        if (target.index.kind === 'StringLiteral') this.#of(target.object).data = true
        return this.#values.flow(value, this.#values.child(this.#of(target.object), keyOf(target.index)))
      case 'TupleExpr':
      case 'ListExpr':
        // Programs do not unpack a text, because its length is unknown.
        value.data = true
        for (const [i, t] of target.elements.entries()) {
          if (t.kind === 'StarredExpr') this.#assign(t.value, this.#values.part(value))
          else this.#assign(t, this.#values.element(value, `#${i}`))
        }
        return
      default:
        return
    }
  }

  // ---- statements --------------------------------------------------------------------------------------------------

  #statement(s: Statement): void {
    switch (s.kind) {
      case 'AssignStmt':
        for (const t of s.targets) this.#assign(t, this.#of(s.value))
        return
      case 'AnnotatedAssignStmt':
        if (s.value) this.#assign(s.target, this.#of(s.value))
        return
      case 'AugmentedAssignStmt': {
        if (s.operator !== '+') return
        if (isText(s.value)) this.#takeForText(s.target)
        return this.#assign(s.target, this.#values.part(this.#of(s.value)))
      }
      case 'ForStmt':
        return this.#loop(s.target, s.iterable)
      case 'WithStmt':
        for (const { context, target } of s.items) if (target) this.#assign(target, this.#of(context))
        return
      case 'DefStmt': {
        const variable = this.#variable(s.name)
        if (variable !== undefined) this.#function(s, variable, 0)
        return
      }
      case 'ClassStmt':
        return this.#class(s)
      case 'MatchStmt':
        if (s.cases.some(({ pattern }) => pattern.kind === 'MappingPattern' || pattern.kind === 'SequencePattern'))
          this.#of(s.subject).data = true
        return
      default:
        return
    }
  }

  #import(s: Statement): void {
    if (s.kind !== 'ImportStmt' && s.kind !== 'ImportFromStmt') return
    const note = (bound: Identifier, name: string): void => {
      const binding = this.#resolution.bindingOf.get(bound)
      if (binding !== undefined) this.#imported.set(binding, name)
    }
    if (s.kind === 'ImportFromStmt') for (const n of s.names) note(n.alias ?? n.name, n.name.name)
    else for (const n of s.names) note(n.alias ?? n.path[0]!, n.path[0]!.name)
  }

  #loop(target: Expression, iterable: Expression): void {
    this.#look(iterable, 'iteration')
    this.#assign(target, this.#values.element(this.#of(iterable)))
  }

  /** Connects a function's value with its parameters, at `(0` and `(name`, and with its result, at `)`. */
  #function(fn: DefStmt | LambdaExpr, value: Place, skipped: number): void {
    const plain = fn.parameters.filter((p) => p.form === 'plain')
    plain.slice(skipped).forEach((p, i) => {
      const variable = this.#parameter(p)
      if (variable === undefined) return
      this.#values.flow(this.#values.child(value, `(${i}`), variable)
      this.#values.flow(this.#values.child(value, `(${p.name!.name}`), variable)
    })
    this.#values.flow(this.#resultOf(fn), this.#values.child(value, ')'))
  }

  #resultOf(fn: DefStmt | LambdaExpr): Place {
    const known = this.#results.get(fn)
    if (known !== undefined) return known
    const result = this.#values.place()
    this.#results.set(fn, result)
    if (fn.kind === 'LambdaExpr') this.#values.flow(this.#of(fn.body), result)
    else
      forEachStatement(fn.body, (s) => {
        if (s.kind === 'ReturnStmt' && s.value) this.#values.flow(this.#of(s.value), result)
        if (s.kind === 'ExprStmt' && s.expression.kind === 'YieldExpr' && s.expression.value !== undefined) {
          const given = this.#of(s.expression.value)
          if (s.expression.from) this.#values.flow(given, result)
          else this.#values.flow(given, this.#values.child(result, '*'))
        }
        return s.kind !== 'DefStmt' && s.kind !== 'ClassStmt'
      })
    return result
  }

  #parameter(p: Parameter): Place | undefined {
    return this.#variable(p.name!)
  }

  /** Methods and attributes are matched by name alone, whatever their class. */
  #class(s: ClassStmt): void {
    const made = this.#variable(s.name)
    let fields = 0
    for (const member of s.body) {
      if (member.kind === 'DefStmt') {
        const isStatic = member.decorators.some((d) => d.kind === 'Identifier' && d.name === 'staticmethod')
        this.#function(member, this.#attribute(member.name.name), isStatic ? 0 : 1)
        if (member.name.name === '__init__' && made !== undefined) this.#function(member, made, 1)
      } else if (member.kind === 'AnnotatedAssignStmt' && member.target.kind === 'Identifier' && made !== undefined) {
        const { name } = member.target
        this.#values.flow(this.#values.child(made, `(${fields++}`), this.#attribute(name))
        this.#values.flow(this.#values.child(made, `(${name}`), this.#attribute(name))
      }
    }
  }

  // ---- expressions -------------------------------------------------------------------------------------------------

  #expression(e: Expression): void {
    switch (e.kind) {
      case 'CallExpr':
        this.#of(e)
        return
      case 'Comprehension':
        return this.#comprehension(e)
      case 'NamedExpr':
        return this.#assign(e.target, this.#of(e.value))
      case 'StarredExpr':
        return this.#look(e.value, 'iteration')
      case 'IndexExpr':
        if (e.index.kind === 'StringLiteral') this.#of(e.object).data = true
        else if (isInt(e.index)) this.#look(e.object, 'index')
        else this.#hash(e.index)
        this.#of(e.object).noCharacter = true
        this.#of(e)
        return
      case 'SetExpr':
        for (const x of e.elements) this.#hash(x)
        return
      case 'DictExpr':
        for (const { key } of e.entries) if (key !== undefined) this.#hash(key)
        return
      case 'SliceExpr':
        return this.#look(e.object, 'slice')
      case 'CompareExpr': {
        let left = e.left
        for (const { operator, operand } of e.rest) {
          if (operator === 'in' || operator === 'not in') this.#look(operand, 'in')
          else this.#compare(left, operand)
          if (isWord(operand) || isDisplay(operand)) this.#of(left).noCharacter ||= hasWords(operand)
          left = operand
        }
        return
      }
      case 'BinaryExpr':
        if (e.operator === '%' && !isText(e.left)) this.#takeForText(e.left)
        this.#compare(e.left, e.right)
        return e.operator === '+' ? this.#sum(e) : undefined
      case 'FString':
        for (const part of e.parts)
          if (typeof part !== 'string' && (part.spec?.length ?? 0) > 0) this.#takeForText(part.expression)
        return
      default:
        return
    }
  }

  /** `a + b + c`: if one operand is a text, all are; otherwise they may be lists. */
  #sum(e: BinaryExpr): void {
    if (this.#summed.has(e)) return
    const parts: Expression[] = []
    let left: Expression = e
    for (; left.kind === 'BinaryExpr' && left.operator === '+'; left = left.left) {
      this.#summed.add(left)
      parts.push(left.right)
    }
    parts.push(left)
    const sum = this.#values.child(this.#of(e), '*')
    const places = parts.map((part) => this.#of(part))
    if (parts.some(isText)) for (const part of parts) this.#takeForText(part)
    else for (const place of places) this.#values.flow(this.#values.child(place, '*'), sum)
  }

  /** A value that is hashed. If it is not data of a tool, it is a text: data can't be hashed. */
  #hash(e: Expression): void {
    this.#of(e).textIfAny = true
  }

  #comprehension(c: Comprehension): void {
    if (c.form === 'set' || c.form === 'dict') this.#hash(c.element)
    for (const clause of c.clauses) if (clause.kind !== 'IfClause') this.#loop(clause.target, clause.iterable)
  }

  /** Records that a value is a text, unless the program has tested whether it is one. */
  #takeForText(e: Expression): void {
    this.#of(e)[this.#asked.has(e) ? 'textIfAny' : 'text'] = true
  }

  /** A value that is compared with words or numbers is a word or a number, not a character. */
  #compare(a: Expression, b: Expression): void {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      if (isNumber(y) || isWord(y)) this.#of(x).noCharacter = true
      if (isDisplay(y) && hasWords(y)) this.#values.element(this.#of(x)).noCharacter = true
    }
  }

  #look(e: Expression, question: Question): void {
    const operand = unparenthesised(e)
    this.#of(operand).noCharacter = true
    this.#values.look(operand, this.#of(operand), question, question !== 'len' && question !== 'in')
  }

  // ---- calls -------------------------------------------------------------------------------------------------------

  /** Follows the arguments of a call. Returns the place that the call's value comes from. */
  #call(e: CallExpr, place: Place): Place | undefined {
    const { callee } = e
    if (callee.kind === 'Identifier') {
      const binding = this.#resolution.bindingOf.get(callee)
      const known = binding?.kind === 'universal' ? binding.name : binding && this.#imported.get(binding)
      if (known !== undefined) return this.#builtin(e, known, place)
      if (binding !== undefined && isKnownFunction(binding)) this.#bindArguments(e, binding.definition!)
    }
    if (callee.kind === 'DotExpr') {
      const { object, name } = callee
      const root = object.kind === 'DotExpr' ? object.object : object
      const outside = root.kind === 'Identifier' ? this.#resolution.bindingOf.get(root) : undefined
      if (outside?.kind === 'predeclared' && this.#namespaces.has(outside.name)) return this.#tool(e, object, place)
      if (outside?.kind === 'universal' || (outside !== undefined && this.#imported.has(outside)))
        return this.#builtin(e, name.name, place)
      return this.#method(e, object, name.name, place)
    }
    this.#give(e, this.#of(callee))
    return this.#values.child(this.#of(callee), ')')
  }

  /** A call of a tool. The answer of `tool.safe(…)` is handled where the program reads its `value`. */
  #tool(e: CallExpr, object: Expression, place: Place): undefined {
    for (const { value } of e.arguments) this.#of(value).noCharacter = true
    if (object.kind === 'Identifier') this.#values.source(e, place)
    return undefined
  }

  #bindArguments(e: CallExpr, fn: DefStmt): void {
    const slots = bindStatically(formalOf(fn), e.arguments)
    const plain = fn.parameters.filter((p) => p.form === 'plain')
    plain.forEach((p, i) => {
      const slot = slots?.[i]
      const variable = this.#parameter(p)
      if (slot !== undefined && 'kind' in slot && variable !== undefined) this.#values.flow(this.#of(slot), variable)
    })
  }

  /** Lets arguments flow into the parameters of every function that the callee may be. */
  #give(e: CallExpr, callee: Place): void {
    e.arguments.forEach(({ form, name, value }, i) => {
      if (form === 'positional') this.#values.flow(this.#of(value), this.#values.child(callee, `(${i}`))
      if (form === 'named') this.#values.flow(this.#of(value), this.#values.child(callee, `(${name!.name}`))
    })
  }

  #method(e: CallExpr, object: Expression, name: string, place: Place): Place | undefined {
    const on = this.#of(object)
    const args = e.arguments.map((a) => a.value)
    if (TEXT_METHODS.has(name) && !this.#attributes.has(name)) {
      this.#takeForText(object)
      if (!OF_CHARACTERS.has(name)) on.noCharacter = true
    }
    if (DATA_METHODS.has(name)) on.data = true
    if (HASHING.has(name) && args[0] && !this.#attributes.has(name)) this.#hash(args[0])
    if (STORING.has(name)) return this.#store(name, args, this.#values.child(on, '*'))
    return this.#given(e, on, name, place)
  }

  /** Follows the values that a method adds to the elements of its object. */
  #store(name: string, args: readonly Expression[], elements: Place): undefined {
    switch (name) {
      case 'append':
      case 'appendleft':
      case 'add':
      case 'put':
        if (args[0]) this.#values.flow(this.#of(args[0]), elements)
        return undefined
      case 'insert':
        if (args[1]) this.#values.flow(this.#of(args[1]), elements)
        return undefined
      case 'extend':
      case 'update':
        for (const x of args) {
          if (name === 'extend') this.#look(x, 'iteration')
          this.#values.flow(this.#values.element(this.#of(x)), elements)
        }
        return undefined
    }
  }

  /** Follows the arguments of a method. Returns the place that its result comes from. */
  #given(e: CallExpr, on: Place, name: string, place: Place): Place | undefined {
    const args = e.arguments.map((a) => a.value)
    const elements = this.#values.child(on, '*')
    switch (name) {
      case 'join':
        for (const x of args) this.#of(x).data = true
        return undefined
      case 'get':
      case 'pop':
      case 'setdefault':
        if (args[1]) this.#values.flow(this.#of(args[1]), place)
        return this.#values.element(on, args[0] === undefined ? '*' : keyOf(args[0]))
      case 'popleft':
      case 'popitem':
        return this.#values.element(on)
      case 'values':
      case 'copy':
        this.#values.flow(elements, this.#values.child(place, '*'))
        return undefined
      case 'items':
        this.#values.flow(elements, this.#values.child(this.#values.child(place, '*'), '#1'))
        return undefined
      case 'map':
        return this.#mapped(args, place)
      case 'submit':
        // The future's `result()` is the function's result.
        if (args[0]) this.#later(args, this.#values.child(this.#attribute('result'), ')'))
        return undefined
      case 'search':
      case 'match':
      case 'fullmatch':
      case 'findall':
      case 'finditer':
        // A method of a compiled pattern.
        if (args[0]) this.#takeForText(args[0])
        return undefined
      default: {
        // A method of the program's own classes.
        const known = this.#attribute(name)
        this.#give(e, known)
        return this.#values.child(known, ')')
      }
    }
  }

  #mapped([fn, ...lists]: readonly Expression[], place: Place): undefined {
    if (fn === undefined) return undefined
    lists.forEach((xs, i) => {
      this.#look(xs, 'iteration')
      this.#values.flow(this.#values.element(this.#of(xs)), this.#values.child(this.#of(fn), `(${i}`))
    })
    const results = this.#values.child(place, '*')
    this.#values.flow(this.#values.child(this.#of(fn), ')'), results)
    if (this.#isTool(fn)) results.undecided = true
    return undefined
  }

  /** A call of a function that receives a further function and the arguments for it. */
  #later([fn, ...args]: readonly Expression[], result: Place): undefined {
    for (const [i, x] of args.entries()) this.#values.flow(this.#of(x), this.#values.child(this.#of(fn!), `(${i}`))
    this.#values.flow(this.#values.child(this.#of(fn!), ')'), result)
    if (this.#isTool(fn!)) result.undecided = true
    return undefined
  }

  #isTool(e: Expression): boolean {
    const binding =
      e.kind === 'DotExpr' && e.object.kind === 'Identifier' ? this.#resolution.bindingOf.get(e.object) : undefined
    return binding?.kind === 'predeclared' && this.#namespaces.has(binding.name)
  }

  /** A call of a function of the prelude, by its name in any module. */
  #builtin(e: CallExpr, name: string, place: Place): undefined {
    const args = e.arguments.filter((a) => a.form === 'positional').map((a) => a.value)
    const [first, second] = args
    if (first === undefined) return undefined
    if (name === 'len') this.#look(first, 'len')
    if (name === 'hash') this.#hash(first)
    if (HASHING.has(name)) this.#values.child(this.#of(first), '*').textIfAny = true
    const text = TEXT_FUNCTIONS[name]
    if (text !== undefined && args[text] !== undefined) {
      if (PARSING.has(name)) this.#of(args[text]).parsed = true
      else this.#takeForText(args[text])
      this.#of(args[text]).noCharacter = true
    }
    if (name === 'dict' || name === 'defaultdict') this.#of(args.at(-1)!).data = true
    if (NUMBERING.has(name)) this.#values.element(this.#of(first)).noCharacter = true
    if (name === 'map' || name === 'parallel') return this.#mapped(args, place)
    if (name === 'to_thread') return this.#later(args, place)
    if (HANDING_ON.has(name)) this.#values.flow(this.#of(first), place)
    if (name === 'filter' && second !== undefined) {
      this.#look(second, 'iteration')
      this.#values.flow(this.#values.element(this.#of(second)), this.#values.child(this.#of(first), '(0'))
      this.#values.flow(this.#values.element(this.#of(second)), this.#values.child(place, '*'))
      return undefined
    }
    if (!ITERATING.has(name)) return undefined
    args.forEach((x, i) => {
      this.#look(x, 'iteration')
      const elements = this.#values.element(this.#of(x))
      if (name === 'enumerate' || name === 'zip')
        this.#values.flow(elements, this.#values.child(this.#values.child(place, '*'), `#${name === 'zip' ? i : 1}`))
      else if (name === 'next' || ((name === 'min' || name === 'max') && args.length === 1))
        this.#values.flow(this.#values.element(this.#of(x)), place)
      else if (name === 'gather') this.#values.flow(this.#of(x), this.#values.child(place, '*'))
      else this.#values.flow(elements, this.#values.child(place, '*'))
    })
    const key = e.arguments.find((a) => a.name?.name === 'key')?.value
    if (key !== undefined)
      this.#values.flow(this.#values.element(this.#of(first)), this.#values.child(this.#of(key), '(0'))
    return undefined
  }
}

function keyOf(e: Expression): string {
  return e.kind === 'StringLiteral' ? `[${e.value}]` : '*'
}

function isInt(e: Expression): boolean {
  return e.kind === 'IntLiteral' || (e.kind === 'UnaryExpr' && e.operand.kind === 'IntLiteral')
}

function isNumber(e: Expression): boolean {
  return isInt(e) || e.kind === 'FloatLiteral'
}

/** A string of several characters. */
function isWord(e: Expression): boolean {
  return e.kind === 'StringLiteral' && e.value.length > 1
}

type Display = Extract<Expression, { kind: 'ListExpr' | 'SetExpr' | 'TupleExpr' }>

function isDisplay(e: Expression): e is Display {
  return e.kind === 'ListExpr' || e.kind === 'SetExpr' || e.kind === 'TupleExpr'
}

function hasWords(e: Expression): boolean {
  return isDisplay(e) ? e.elements.some(isWord) : isWord(e)
}

function isText(e: Expression): boolean {
  const inner = unparenthesised(e)
  return inner.kind === 'StringLiteral' || inner.kind === 'FString'
}
