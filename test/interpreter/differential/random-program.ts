// Random programs that mean the same in Python and in Starlark: typed expressions over ints, strings, lists, dicts and
// functions, loops that end, and now and then a mistake that both must find. What the two languages see differently is
// left out: bools as numbers, iteration over strings, texts of nested strings, chains of comparisons. Asked for
// Python's own forms, they use those and floats, too.
// Invariant: numbers, strings and containers stay small, whatever a program does in its loops.

/** A number from 0 up to but not including `n`. */
export type Dice = (n: number) => number

type Type = 'int' | 'str' | 'bool' | 'ints' | 'strs' | 'dict' | 'float'

interface Fn {
  readonly name: string
  readonly parameters: readonly Type[]
  readonly optional: number
  readonly result: Type
}

interface Scope {
  readonly variables: Map<string, Type>
  readonly functions: Fn[]
  readonly loop: boolean
  readonly result: Type | undefined
}

const sharedTypes: readonly Type[] = ['int', 'int', 'str', 'bool', 'ints', 'strs', 'dict']
const pythonTypes: readonly Type[] = [...sharedTypes, 'float']
const words = ['""', '"a"', '"b"', '"ab"', '"Hello"', '"x,y,z"', '" pad "', '"é"', '"banana"', '"0"', '"42"']
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '10',
  '-1',
  '-5',
  '255',
  '4294967296',
  '9007199254740993',
  '123456789012345678901234567890',
]

/**
 * The text of a program that ends by binding `result` to a list of all it has computed. `python` adds the forms that
 * Starlark lacks.
 */
export function randomProgram(roll: Dice, python: boolean): string {
  return new Writer(roll, python).program()
}

class Writer {
  readonly #roll: Dice
  readonly #python: boolean
  readonly #types: readonly Type[]
  #names = 0
  #lines: string[] = []

  constructor(roll: Dice, python: boolean) {
    this.#roll = roll
    this.#python = python
    this.#types = python ? pythonTypes : sharedTypes
  }

  program(): string {
    const top: Scope = { variables: new Map(), functions: [], loop: false, result: undefined }
    for (const type of new Set(this.#types)) this.#assign(top, '', type, this.#literal(type))
    for (let i = 0, n = 2 + this.#roll(3); i < n; i++) this.#define(top, '')
    this.#block(top, '', 6 + this.#roll(8), 3)
    this.#line('', `result = [${[...top.variables.keys()].join(', ')}]`)
    return `${this.#lines.join('\n')}\n`
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  #line(indent: string, text: string): void {
    this.#lines.push(indent + text)
  }

  #fresh(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  #assign(scope: Scope, indent: string, type: Type, code: string): void {
    // What a function assigns anywhere is its own everywhere: it takes no name of the program around it.
    const known = this.#ownNames(scope, type)
    const name = known.length > 0 && this.#roll(2) === 0 ? this.#pick(known) : this.#fresh('v')
    this.#line(indent, `${name} = ${code}`)
    scope.variables.set(name, type)
  }

  #block(scope: Scope, indent: string, statements: number, depth: number): void {
    for (let i = 0; i < statements; i++) this.#statement(scope, indent, depth)
  }

  /** A block that may not run: what it binds is not counted on afterwards. */
  #branch(scope: Scope, indent: string, statements: number, depth: number, loop = scope.loop): void {
    const inner: Scope = { ...scope, variables: copied(scope.variables), functions: [...scope.functions], loop }
    this.#block(inner, indent, statements, depth)
  }

  #statement(scope: Scope, indent: string, depth: number): void {
    const type = this.#pick(this.#types)
    if (this.#python && depth > 0 && this.#roll(8) === 0) return this.#pythonStatement(scope, indent, depth - 1)
    switch (this.#roll(depth > 0 ? 15 : 9)) {
      case 0:
      case 1:
      case 2:
        return this.#assign(scope, indent, type, this.#expression(scope, type, 3))
      case 3:
        return this.#augment(scope, indent)
      case 4:
      case 5:
        return this.#changeList(scope, indent)
      case 6:
        return this.#changeDict(scope, indent)
      case 7:
        return this.#swap(scope, indent)
      case 8:
        return this.#leave(scope, indent)
      case 9:
      case 10:
        return this.#if(scope, indent, depth - 1)
      case 11:
      case 12:
        return this.#for(scope, indent, depth - 1)
      case 13:
        return this.#while(scope, indent, depth - 1)
      default:
        return this.#define(scope, indent)
    }
  }

  #augment(scope: Scope, indent: string): void {
    const name = this.#own(scope, 'int')
    if (name === undefined) return
    const operator = this.#pick(['+=', '-=', '//=', '%=', '&=', '|=', '^='])
    const right = /[%/]/.test(operator) ? this.#pick(['3', '-7', '10', '1000']) : this.#expression(scope, 'int', 1)
    this.#line(indent, `${name} ${operator} ${right}`)
    if (operator !== '%=') this.#line(indent, `${name} %= 1000003`)
  }

  #changeList(scope: Scope, indent: string): void {
    const type = this.#pick(['ints', 'strs'] as const)
    const name = this.#own(scope, type)
    if (name === undefined) return
    const element = this.#expression(scope, type === 'ints' ? 'int' : 'str', 1)
    const index = this.#pick(['0', '0', '-1', '1', '5'])
    const change = this.#pick([
      `${name}.append(${element})`,
      `${name}.extend(${this.#expression(scope, type, 1)}[:3])`,
      `${name}.insert(${this.#pick(['0', '1', '-1', '99'])}, ${element})`,
      `${name} += [${element}]`,
      `${name}[${index}] = ${element}`,
      `${name}.pop()`,
      `${name}.pop(0)`,
      `${name}.remove(${element})`,
      `${name}.clear()`,
    ])
    const guarded = /\]\s=|pop|remove/.test(change) && this.#roll(10) > 0
    if (change.includes('remove') && guarded) this.#line(indent, `if ${element} in ${name}:`)
    else if (guarded) this.#line(indent, `if len(${name}) > 0:`)
    this.#line(guarded ? `${indent}    ` : indent, change)
    this.#line(indent, `if len(${name}) > 12:`)
    this.#line(indent, `    ${name} = ${name}[-6:]`)
  }

  #changeDict(scope: Scope, indent: string): void {
    const name = this.#own(scope, 'dict')
    if (name === undefined) return
    const key = this.#expression(scope, 'str', 1)
    const value = this.#expression(scope, 'int', 1)
    this.#line(
      indent,
      this.#pick([
        `${name}[${key}] = ${value}`,
        `${name}[${key}] = ${name}.get(${key}, 0) + 1`,
        `${name}.setdefault(${key}, ${value})`,
        `${name}.update(${this.#expression(scope, 'dict', 1)})`,
        `${name}.pop(${key}, None)`,
        `${name}[${this.#roll(8) === 0 ? key : '"k"'}] ${this.#roll(8) === 0 ? '+=' : '='} 1`,
      ]),
    )
    this.#line(indent, `if len(${name}) > 12:`)
    this.#line(indent, `    ${name}.clear()`)
  }

  #swap(scope: Scope, indent: string): void {
    const type = this.#pick(this.#types)
    const names = [this.#own(scope, type), this.#own(scope, type)]
    if (names.includes(undefined)) return
    this.#line(indent, `${names[0]}, ${names[1]} = ${this.#expression(scope, type, 1)}, ${names[0]}`)
  }

  #leave(scope: Scope, indent: string): void {
    if (scope.loop) {
      this.#line(indent, `if ${this.#expression(scope, 'bool', 2)}:`)
      this.#line(indent, `    ${this.#pick(['break', 'continue'])}`)
    } else if (scope.result !== undefined) {
      this.#line(indent, `if ${this.#expression(scope, 'bool', 2)}:`)
      this.#line(indent, `    return ${this.#expression(scope, scope.result, 2)}`)
    }
  }

  #if(scope: Scope, indent: string, depth: number): void {
    this.#line(indent, `if ${this.#expression(scope, 'bool', 3)}:`)
    this.#branch(scope, `${indent}    `, 1 + this.#roll(2), depth)
    this.#line(`${indent}    `, 'pass')
    if (this.#roll(2) === 0) {
      this.#line(indent, `elif ${this.#expression(scope, 'bool', 2)}:`)
      this.#branch(scope, `${indent}    `, 1, depth)
      this.#line(`${indent}    `, 'pass')
    }
    if (this.#roll(2) === 0) {
      this.#line(indent, 'else:')
      this.#branch(scope, `${indent}    `, 1 + this.#roll(2), depth)
      this.#line(`${indent}    `, 'pass')
    }
  }

  #for(scope: Scope, indent: string, depth: number): void {
    const inner = copied(scope.variables)
    const a = this.#fresh('i')
    const b = this.#fresh('i')
    const [target, iterable, bound] = this.#pick([
      [a, `range(${1 + this.#roll(5)})`, [[a, 'int']]],
      [a, `range(${this.#roll(5)}, ${this.#roll(9)}, ${1 + this.#roll(2)})`, [[a, 'int']]],
      [a, `range(5, ${this.#roll(5)}, -2)`, [[a, 'int']]],
      [a, `list(${this.#expression(scope, 'ints', 1)})`, [[a, 'int']]],
      [a, `sorted(${this.#expression(scope, 'strs', 1)})`, [[a, 'str']]],
      [
        `${a}, ${b}`,
        `list(${this.#expression(scope, 'dict', 1)}.items())`,
        [
          [a, 'str'],
          [b, 'int'],
        ],
      ],
      [
        `${a}, ${b}`,
        `enumerate(list(${this.#expression(scope, 'strs', 1)}))`,
        [
          [a, 'int'],
          [b, 'str'],
        ],
      ],
      [
        `${a}, ${b}`,
        `zip(range(4), list(${this.#expression(scope, 'ints', 1)}))`,
        [
          [a, 'int'],
          [b, 'int'],
        ],
      ],
    ] as [string, string, [string, Type][]][])
    for (const [name, type] of bound) inner.set(name, type)
    this.#line(indent, `for ${target} in ${iterable}:`)
    this.#branch({ ...scope, variables: inner }, `${indent}    `, 1 + this.#roll(3), depth, true)
    this.#line(`${indent}    `, 'pass')
  }

  #while(scope: Scope, indent: string, depth: number): void {
    const counter = this.#fresh('n')
    this.#line(indent, `${counter} = ${2 + this.#roll(4)}`)
    this.#line(indent, `while ${counter} > 0 and ${this.#expression(scope, 'bool', 1)}:`)
    this.#line(`${indent}    `, `${counter} -= 1`)
    this.#branch(scope, `${indent}    `, 1 + this.#roll(2), depth, true)
  }

  #define(scope: Scope, indent: string): void {
    const name = this.#fresh('f')
    const parameters = Array.from({ length: this.#roll(4) }, () => this.#pick(this.#types))
    const optional = this.#roll(parameters.length + 1)
    const names = parameters.map(() => this.#fresh('p'))
    const result = this.#pick(this.#types)
    const shown = names.map((p, i) =>
      i < parameters.length - optional ? p : `${p}=${this.#literal(parameters[i]!, true)}`,
    )
    this.#line(indent, `def ${name}(${shown.join(', ')}):`)
    const variables = new Map([...scope.variables].filter(([n]) => this.#readable(n)))
    const own = new Map<string, Type>()
    for (const [i, p] of names.entries()) own.set(p, parameters[i]!)
    const inner: Scope = {
      variables: new OwnFirst(own, variables),
      functions: [...scope.functions],
      loop: false,
      result,
    }
    this.#block(inner, `${indent}    `, 1 + this.#roll(3), 1)
    this.#line(`${indent}    `, `return ${this.#expression(inner, result, 2)}`)
    scope.functions.push({ name, parameters, optional, result })
  }

  #pythonStatement(scope: Scope, indent: string, depth: number): void {
    const more = `${indent}    `
    switch (this.#roll(5)) {
      case 0: {
        const error = this.#fresh('e')
        this.#line(indent, 'try:')
        this.#branch(scope, more, 1 + this.#roll(3), depth)
        this.#line(more, 'pass')
        this.#line(
          indent,
          `except ${this.#pick(['(IndexError, KeyError)', 'ValueError', 'ZeroDivisionError', 'Exception', 'ArithmeticError'])} as ${error}:`,
        )
        const words = this.#own(scope, 'str')
        this.#line(more, words === undefined ? 'pass' : `${words} = str(${error})[:30]`)
        if (this.#roll(2) === 0) {
          this.#line(indent, 'finally:')
          this.#branch(scope, more, 1, depth)
          this.#line(more, 'pass')
        }
        return
      }
      case 1: {
        const c = this.#fresh('i')
        const inner = copied(scope.variables)
        inner.set(c, 'str')
        this.#line(indent, `for ${c} in ${this.#expression(scope, 'str', 2)}:`)
        this.#branch({ ...scope, variables: inner }, more, 1 + this.#roll(2), depth, true)
        this.#line(more, 'pass')
        this.#line(indent, 'else:')
        this.#branch(scope, more, 1, depth)
        this.#line(more, 'pass')
        return
      }
      case 2: {
        const first = this.#own(scope, 'int')
        const rest = this.#own(scope, 'ints')
        if (first !== undefined && rest !== undefined)
          this.#line(indent, `${first}, *${rest} = ${this.#expression(scope, 'ints', 2)} or [1, 2]`)
        return
      }
      case 3: {
        const name = this.#fresh('v')
        this.#line(indent, `if (${name} := ${this.#expression(scope, 'int', 2)}) > 1 or ${name} == 0:`)
        scope.variables.set(name, 'int')
        this.#branch(scope, more, 1, depth)
        this.#line(more, 'pass')
        return
      }
      default: {
        const d = this.#own(scope, 'dict')
        if (d !== undefined) this.#line(indent, `if "a" in ${d}: del ${d}["a"]`)
      }
    }
  }

  #readable(name: string): boolean {
    return !name.startsWith('n')
  }

  // ---- expressions ---------------------------------------------------------------------------------------------

  #pick<T>(all: readonly T[]): T {
    return all[this.#roll(all.length)]!
  }

  #variables(scope: Scope, type: Type): string[] {
    return [...scope.variables].filter(([, t]) => t === type).map(([name]) => name)
  }

  /** Variables that the function itself has bound, or the program outside all functions. */
  #ownNames(scope: Scope, type: Type): string[] {
    const all = scope.variables instanceof OwnFirst ? [...scope.variables.own] : [...scope.variables]
    return all.filter(([name, t]) => t === type && name.startsWith('v')).map(([name]) => name)
  }

  #own(scope: Scope, type: Type): string | undefined {
    const names = this.#ownNames(scope, type)
    return names.length === 0 ? undefined : this.#pick(names)
  }

  #literal(type: Type, immutable = false): string {
    switch (type) {
      case 'int':
        return this.#pick(numbers)
      case 'str':
        return this.#pick(words)
      case 'bool':
        return this.#pick(['True', 'False'])
      case 'float':
        return this.#pick(['0.5', '2.0', '-1.25', '1e3', '0.1', '3.14159', '1e-7', '123456.75'])
      case 'ints':
        return immutable ? '[]' : `[${Array.from({ length: this.#roll(4) }, () => this.#pick(numbers)).join(', ')}]`
      case 'strs':
        return immutable ? '[]' : `[${Array.from({ length: this.#roll(4) }, () => this.#pick(words)).join(', ')}]`
      case 'dict':
        return immutable ? '{}' : this.#pick(['{}', '{"a": 1}', '{"x": 2, "y": -3}', '{"k": 0, "a": 5, "": 7}'])
    }
  }

  #expression(scope: Scope, type: Type, depth: number): string {
    const names = this.#variables(scope, type)
    if (depth <= 0 || this.#roll(5) === 0)
      return names.length > 0 && this.#roll(3) > 0 ? this.#pick(names) : this.#literal(type)
    const callable = scope.functions.filter((f) => f.result === type)
    if (callable.length > 0 && this.#roll(6) === 0) return this.#call(scope, this.#pick(callable), depth - 1)
    if (this.#roll(8) === 0) {
      return `(${this.#expression(scope, type, depth - 1)} if ${this.#expression(scope, 'bool', depth - 1)} else ${this.#expression(scope, type, depth - 1)})`
    }
    const forms = this.#forms(scope, type, depth - 1)
    return this.#pick(this.#python ? [...forms, ...this.#pythonForms(scope, type, depth - 1)] : forms)()
  }

  #call(scope: Scope, f: Fn, depth: number): string {
    const given = f.parameters.length - this.#roll(f.optional + 1)
    return `${f.name}(${f.parameters
      .slice(0, given)
      .map((t) => this.#expression(scope, t, Math.min(depth, 1)))
      .join(', ')})`
  }

  /** A list that is not empty, most of the time. */
  #filled(list: string, otherwise: string): string {
    return this.#roll(12) === 0 ? list : `(${list} or ${otherwise})`
  }

  /** Forms that Starlark lacks. */
  #pythonForms(scope: Scope, type: Type, depth: number): readonly (() => string)[] {
    const e = (t: Type): string => this.#expression(scope, t, depth)
    switch (type) {
      case 'int':
        return [
          () => `sum(${e('ints')})`,
          () => `sum(x % 7 for x in ${e('ints')})`,
          () => `(${e('int')} + ${e('bool')})`,
          () => `int(${e('float')})`,
          () => `round(${e('float')})`,
          () => `((${e('int')} % 50) ** ${this.#pick(['2', '3'])})`,
          () => `len(set(${e(this.#pick(['ints', 'strs', 'str'] as const))}))`,
          () => `${e('strs')}.count(${e('str')})`,
          () => `divmod(${e('int')}, ${this.#pick(['7', '-3'])})[${this.#pick(['0', '1'])}]`,
        ]
      case 'str':
        return [
          () =>
            `f"{${this.#expression(scope, 'int', 0)}}|{${this.#pick([...this.#variables(scope, 'str'), '7'])}!r:>6}"[:20]`,
          () => `format(${e('int')}, ${this.#pick(['">8"', '"<6"', '",d"', '"x"', '"+d"', '"08d"'])})`,
          () => `format(${e('float')}, ${this.#pick(['".2f"', '"8.3f"', '".1e"', '"g"', '".0%"'])})`,
          () => `str(${e('float')})`,
          () => `repr(${e('str')})[:20]`,
          () =>
            `${e('str')}.${this.#pick(['center(6)', 'zfill(4)', 'rjust(5, "*")', 'swapcase()', 'ljust(4)', 'casefold()'])}[:20]`,
          () => `"".join(sorted(${e('str')}))`,
          () => `"".join(c for c in ${e('str')} if c.isalpha())`,
        ]
      case 'bool':
        return [
          () => `(${e('int')} < ${e('int')} <= ${e('int')})`,
          () =>
            `isinstance(${e(this.#pick(['int', 'str', 'bool', 'float'] as const))}, ${this.#pick(['int', 'str', '(int, float)', 'bool'])})`,
          () => `(${e('float')} ${this.#pick(['<', '>=', '==', '!='])} ${e(this.#pick(['float', 'int'] as const))})`,
          () => `(set(${e('ints')}) <= set(${e('ints')}))`,
          () => `any(x > 3 for x in ${e('ints')})`,
        ]
      case 'ints':
        return [
          () => `sorted(set(${e('ints')}))`,
          () => `sorted({x % 5 for x in ${e('ints')}} | set(${e('ints')}))`,
          () => `[*${e('ints')}, ${e('int')}][:8]`,
          () => `list(map(abs, ${e('ints')}))`,
          () => `list(filter(None, ${e('ints')}))`,
          () => `[ord(c) for c in ${e('str')}]`,
        ]
      case 'strs':
        return [
          () => `list(${e('str')})[:6]`,
          () => `sorted(set(${e('strs')}))`,
          () => `[f"{x:>3}" for x in ${e('ints')}][:6]`,
        ]
      case 'dict':
        return [() => `{**${e('dict')}, "z": ${e('int')}}`, () => `(${e('dict')} | ${e('dict')})`]
      case 'float':
        return []
    }
  }

  /** Ways to write a value of a type; each is a function, because writing one draws from the dice. */
  #forms(scope: Scope, type: Type, depth: number): readonly (() => string)[] {
    const e = (t: Type): string => this.#expression(scope, t, depth)
    const small = (): string => this.#pick(['0', '1', '2', '3', '-1', '-2'])
    const mapped = (source: Type, element: Type, made: Type): string => {
      const v = this.#fresh('c')
      const inner: Scope = { ...scope, variables: new Map([...scope.variables, [v, element]]) }
      const body = this.#expression(inner, made, depth)
      const test = this.#roll(2) === 0 ? ` if ${this.#expression(inner, 'bool', depth)}` : ''
      return `[${body} for ${v} in ${e(source)}${test}]`
    }
    switch (type) {
      case 'int':
        return [
          () => `(${e('int')} + ${e('int')})`,
          () => `(${e('int')} - ${e('int')})`,
          () => `(${e('int')} * ${e('int')} % 1000003)`,
          () => `(${e('int')} // ${this.#roll(10) === 0 ? e('int') : this.#pick(['2', '-3', '7', '1000'])})`,
          () => `(${e('int')} % ${this.#roll(10) === 0 ? e('int') : this.#pick(['2', '-3', '7', '1000'])})`,
          () => `(${e('int')} ${this.#pick(['&', '|', '^'])} ${e('int')})`,
          () => `((${e('int')} ${this.#pick(['<<', '>>'])} ${this.#pick(['0', '1', '5', '33'])}) % 4294967311)`,
          () => `(-${e('int')})`,
          () => `(~${e('int')})`,
          () => `abs(${e('int')})`,
          () => `${this.#pick(['min', 'max'])}(${e('int')}, ${e('int')})`,
          () => `len(${e(this.#pick(['str', 'ints', 'strs', 'dict'] as const))})`,
          () => `${e('dict')}.get(${e('str')}, ${e('int')})`,
          () => `int(str(${e('int')}))`,
          () => `${e('str')}.count(${this.#pick(['"a"', '","', '"an"'])})`,
          () => `${e('str')}.find(${e('str')})`,
          () => `${this.#filled(e('ints'), '[4]')}[${this.#roll(3) === 0 ? small() : '-1'}]`,
          () => `max(${e('ints')} + [0])`,
          () => `(${e('ints')} or [${e('int')}])[0]`,
        ]
      case 'str':
        return [
          () => `(${e('str')} + ${e('str')})[:20]`,
          () => `${e('str')}[${small()}:${small()}]`,
          () => `${e('str')}[::${this.#pick(['-1', '2', '1'])}]`,
          () => `(${e('str')} * ${this.#pick(['0', '1', '2'])})[:20]`,
          () =>
            `${e('str')}.${this.#pick(['upper()', 'lower()', 'strip()', 'lstrip()', 'title()', 'capitalize()', 'replace("a", "o")', 'replace("", ".")', 'removeprefix("a")', 'partition(",")[0]'])}`,
          () => `str(${e('int')})`,
          () => `${this.#pick(['","', '""', '"-"'])}.join(${e('strs')})[:20]`,
          () => `("%s=%d" % (${e('str')}, ${e('int')}))`,
          () => `"{}|{}".format(${e('int')}, ${e('str')})`,
          () => `"{1}{0}".format(${e('str')}, ${e('str')})[:20]`,
          () => `${e('str')}[${this.#roll(8) === 0 ? '0' : '-1:'}]`,
          () => `(${e('str')} or "empty")`,
          () => `${this.#filled(e('strs'), '["only"]')}[${this.#roll(3) === 0 ? small() : '0'}]`,
        ]
      case 'bool':
        return [
          () => `(${e('int')} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${e('int')})`,
          () => `(${e('str')} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${e('str')})`,
          () => `(${e('ints')} ${this.#pick(['<', '==', '!=', '>='])} ${e('ints')})`,
          () => `(${e('dict')} == ${e('dict')})`,
          () => `(not ${e('bool')})`,
          () => `(${e('bool')} ${this.#pick(['and', 'or'])} ${e('bool')})`,
          () => `(${e('int')} ${this.#pick(['in', 'not in'])} ${e('ints')})`,
          () => `(${e('str')} in ${e(this.#pick(['str', 'strs', 'dict'] as const))})`,
          () =>
            `${e('str')}.${this.#pick(['startswith("a")', 'endswith(("a", "z"))', 'isdigit()', 'isalpha()', 'isupper()', 'islower()', 'isspace()'])}`,
          () => `bool(${e(this.#pick(['int', 'str', 'ints', 'dict'] as const))})`,
          () => `${this.#pick(['any', 'all'])}(${mapped('ints', 'int', 'bool')})`,
        ]
      case 'ints':
        return [
          () => `[${e('int')}, ${e('int')}]`,
          () => `(${e('ints')} + ${e('ints')})[:8]`,
          () => `${e('ints')}[${small()}:${small()}]`,
          () => `${e('ints')}[::${this.#pick(['-1', '2'])}]`,
          () =>
            `sorted(${e('ints')}${this.#pick(['', ', reverse=True', ', key=abs', ', key=lambda x: -x', ', key=lambda x: (x % 3, x)'])})`,
          () => `list(range(${small()}, ${this.#pick(['5', '7', '2'])}))`,
          () => `list(reversed(${e('ints')}))`,
          () => `list(${e('dict')}.values())`,
          () => mapped('ints', 'int', 'int'),
          () => mapped('strs', 'str', 'int'),
          () => `([${e('int')}] * ${this.#pick(['0', '1', '3'])})`,
          () => `[x * y % 97 for x in ${e('ints')}[:3] for y in ${e('ints')}[:3]]`,
        ]
      case 'strs':
        return [
          () => `[${e('str')}, ${e('str')}]`,
          () => `${e('str')}.split(${this.#pick(['","', '', '"a"', '",", 1'])})`,
          () => `sorted(${e('strs')}${this.#pick(['', ', reverse=True', ', key=len'])})`,
          () => `list(${e('dict')}.keys())`,
          () => `list(${e('dict')})`,
          () => mapped('ints', 'int', 'str'),
          () => mapped('strs', 'str', 'str'),
          () => `(${e('strs')} + ${e('strs')})[-6:]`,
        ]
      case 'float':
        return [
          () => `(${e('int')} % 1000 / ${this.#pick(['3', '8', '-7'])})`,
          () => `((${e('float')} ${this.#pick(['+', '-', '*'])} ${e('float')}) % 1000.5)`,
          () => `(${e('float')} // ${this.#pick(['0.5', '3', '-2.0'])})`,
          () => `(-${e('float')})`,
          () => `abs(${e('float')})`,
          () => `round(${e('float')}, ${this.#pick(['0', '1', '2', '-1'])})`,
          () => `float(${e('int')} % 10000)`,
          () => `${this.#pick(['min', 'max'])}(${e('float')}, ${e('float')})`,
        ]
      case 'dict':
        return [
          () => `{${e('str')}: ${e('int')}}`,
          () => `dict(${e('dict')})`,
          () => `dict(zip(${e('strs')}, ${e('ints')}))`,
          () => `{x: len(x) for x in ${e('strs')}}`,
          () => `{str(x): x for x in ${e('ints')}}`,
          () => `dict([(x, y + 1) for x, y in ${e('dict')}.items()])`,
          () => `dict(a=${e('int')}, b=${e('int')})`,
        ]
    }
  }
}

function copied(variables: ReadonlyMap<string, Type>): Map<string, Type> {
  return variables instanceof OwnFirst ? new OwnFirst(new Map(variables.own), variables) : new Map(variables)
}

/** Variables of a function: its own, and those of the program around it, which it may read. */
class OwnFirst extends Map<string, Type> {
  readonly own: Map<string, Type>
  constructor(own: Map<string, Type>, outer: ReadonlyMap<string, Type>) {
    super([...outer, ...own])
    this.own = own
  }
  override set(name: string, type: Type): this {
    // A Map's constructor calls `set` before the field is there.
    this.own?.set(name, type)
    return super.set(name, type)
  }
}
