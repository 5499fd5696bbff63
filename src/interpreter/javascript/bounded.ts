// A parser with bounded stack and time. acorn and its TypeScript plugin recurse into nested constructs, look names up
// in lists, scan some texts repeatedly, and compile every regular expression of the text in the host. Here every method
// that can recurse counts its depth, a loop parses chains of operators, a table holds names, and no regular expression
// is compiled.
// Invariant: any text is parsed, or refused with a SyntaxError, in linear time and with a stack that does not grow with
// the text.

import { type Parser as PlainParser, tokTypes } from 'acorn'
import { TOO_DEEP } from './faults.js'

/**
 * The maximum depth of the methods below. `plain` allows 132 brackets, 66 functions with blocks as arguments, or 397
 * branches of an `if`. The methods for types take about twice the stack. Both take at most about 400 KB of it; a thread
 * of the host has 984 KB.
 */
export const MOST_UNDERWAY = { plain: 400, typed: 240 }
/** The maximum number of times that a text is scanned. The parser finds types by trial and scans parts again. */
const MOST_READINGS = 60

/** The methods through which every recursion of the grammar passes. */
const GOES_DOWN =
  /^(?:parse(?:Statement|MaybeAssign|MaybeUnary|ExprAtom|BindingAtom|New)|toAssignable|checkLValInnerPattern|regexp_disjunction|ts(?:Parse|In|Try)\w*|tsLookAhead)$/

type Method = (this: never, ...given: never[]) => unknown

/** Members of acorn that its types lack. */
interface Inside {
  readonly input: string
  readonly start: number
  pos: number
  type: unknown
  raise(pos: number, message: string): never
  raiseRecoverable(pos: number, message: string): never
  nextToken(): void
  readRegexp(): void
  finishToken(type: unknown, value: unknown): void
  validateRegExpPattern(state: Pattern): void
  parseExprOp(left: object, start: number, at: unknown, least: number, forInit?: unknown): object
  buildBinary(...given: readonly unknown[]): object
  enterScope(flags: number): void
  currentScope(): Record<'var' | 'lexical' | 'functions' | 'types' | 'enums', string[]>
}

interface Pattern {
  readonly source: string
  readonly flags: string
}

/** Thrown to skip the rest of a regular expression's check. */
class Checked {
  readonly pattern: Pattern

  constructor({ source, flags }: Pattern) {
    this.pattern = { source, flags }
  }
}

type Reader = new (...given: unknown[]) => Inside
type DeepReader = new (...given: unknown[]) => Inside & { goDown(method: Method, given: never[]): unknown }

/** A plugin for `Parser.extend`. Must be the last one. */
export function bounded(most: number): (Plain: typeof PlainParser) => typeof PlainParser {
  return (Plain) => {
    const Bounded = withFlatChains(deepAsAllowed(most, quickToRead(Plain as unknown as Reader)))
    for (const name of methodsOf(Plain.prototype).filter((one) => GOES_DOWN.test(one))) {
      const method = (Plain.prototype as unknown as Record<string, Method>)[name]!
      Object.defineProperty(Bounded.prototype, name, {
        value(this: InstanceType<typeof Bounded>, ...given: never[]) {
          return this.goDown(method, given)
        },
      })
    }
    return Bounded as unknown as typeof PlainParser
  }
}

/** Bounds how often a text is scanned, keeps names in tables, and compiles no regular expressions. */
function quickToRead(Base: Reader): Reader {
  return class extends Base {
    #readable: number | undefined

    override nextToken(): void {
      this.#readable ??= MOST_READINGS * (this.input.length + 1000)
      const { pos } = this
      super.nextToken()
      this.#readable -= this.pos - pos + 1
      if (this.#readable < 0) this.raise(pos, TOO_DEEP)
    }

    /** acorn would count the line and column from the first line each time. */
    override raise(pos: number, message: string): never {
      throw Object.assign(new SyntaxError(message), { pos })
    }

    override raiseRecoverable(pos: number, message: string): never {
      this.raise(pos, message)
    }

    override readRegexp(): void {
      try {
        super.readRegexp()
      } catch (error) {
        if (!(error instanceof Checked)) throw error
        const { source: pattern, flags } = error.pattern
        this.finishToken(tokTypes.regexp, { pattern, flags, value: null })
      }
    }

    override validateRegExpPattern(state: Pattern): void {
      super.validateRegExpPattern(state)
      throw new Checked(state)
    }

    override enterScope(flags: number): void {
      super.enterScope(flags)
      const scope = this.currentScope()
      for (const list of ['var', 'lexical', 'functions', 'types', 'enums'] as const) scope[list] = new Names()
    }
  }
}

/** Counts the depth of recursion. */
function deepAsAllowed(most: number, Base: Reader): DeepReader {
  return class extends Base {
    #underway = 0

    goDown(method: Method, given: never[]): unknown {
      if (++this.#underway > most) this.raise(this.start, TOO_DEEP)
      try {
        return method.apply(this as never, given)
      } finally {
        this.#underway--
      }
    }
  }
}

/** Parses chains of operators in a loop. */
function withFlatChains(Base: DeepReader): DeepReader {
  return class extends Base {
    #built: object | undefined
    #chain: { readonly start: number; readonly least: number; goesOn: boolean } | undefined

    override buildBinary(...given: readonly unknown[]): object {
      this.#built = super.buildBinary(...given)
      return this.#built
    }

    /**
     * acorn calls this method recursively for the next operator of a chain. Here that call returns, and the loop
     * continues.
     */
    override parseExprOp(left: object, start: number, at: unknown, least: number, forInit?: unknown): object {
      const around = this.#chain
      if (left === this.#built && around?.start === start && around.least === least) {
        around.goesOn = true
        return left
      }
      const chain = { start, least, goesOn: false }
      const turns = (): object => {
        let read = left
        do {
          chain.goesOn = false
          this.#chain = chain
          read = super.parseExprOp(read, start, at, least, forInit)
        } while (chain.goesOn)
        return read
      }
      try {
        return this.goDown(turns, []) as object
      } finally {
        this.#chain = around
      }
    }
  }
}

function methodsOf(prototype: object): string[] {
  const names = new Set<string>()
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  return [...names]
}

/** A list with an index of its names. It can be truncated. */
class Names extends Array<string> {
  readonly #places = new Map<string, number>()

  override indexOf(name: string): number {
    const at = this.#places.get(name)
    return at !== undefined && this[at] === name ? at : -1
  }

  override includes(name: string): boolean {
    return this.indexOf(name) >= 0
  }

  override push(...names: string[]): number {
    for (const name of names) {
      if (!this.includes(name)) this.#places.set(name, this.length)
      super.push(name)
    }
    return this.length
  }
}
