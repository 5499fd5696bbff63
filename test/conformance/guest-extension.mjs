// What the suites expect a test host to provide: their assertions, `freeze`, `struct` and a few odd values. The function below runs inside the
// guest, beside the prelude; nothing outside it is in its reach.
// An assertion does not end its chunk: it is reported to the host, with the place of its call, and the chunk goes on. Errors that a chunk
// expects are reported too, and the host judges their words.

/** Begins every report among the printed lines. */
export const REPORT = '\u0001'

/** The names that each suite's files find, and the modules they can load. */
const provided = {
  go: {
    predeclared: ['hasfields', 'fibonacci', 'struct', 'gensym'],
    modules: { 'assert.star': ['assert', 'freeze'], 'json.star': ['json'], 'math.star': ['math'] },
  },
  others: {
    predeclared: [
      ...['assert_', 'assert_eq', 'assert_ne', 'assert_true', 'assert_false', 'assert_lt', 'assert_fails'],
      ...['noop', 'freeze', 'struct', 'mutablestruct'],
    ],
    modules: {},
  },
}

/**
 * @param {'go' | 'java' | 'rust'} kind
 * @param {readonly number[]} settled Which expected errors, counted from 0, are known to end the whole run: they are not provoked again.
 */
export function extensionFor(kind, settled) {
  const { predeclared, modules } = kind === 'go' ? provided.go : provided.others
  const options = JSON.stringify({ kind, report: REPORT, settled })
  const name = ['conformance', kind, ...settled].join('-')
  return { name, source: `(prelude) => (${inGuest})(prelude, ${options})`, predeclared, modules }
}

/** @param {any} prelude Everything the prelude has. @param {{ kind: string, report: string, settled: number[] }} options */
function inGuest(prelude, options) {
  const {
    GuestError,
    guestError,
    PROTOCOL,
    builtin,
    call,
    equal,
    hostPrint,
    isIn,
    less,
    nameClass,
    repr,
    str,
    truth,
    tuple,
    typeName,
  } = prelude

  // ---- assertions ----------------------------------------------------------------------------------------------

  function report(what) {
    hostPrint(options.report + JSON.stringify({ ...what, stack: top(new Error().stack) }))
  }
  const top = (stack) => String(stack).split('\n').slice(0, 20).join('\n')
  let expected = 0
  function failed(message) {
    report({ kind: 'failed', message })
    return null
  }
  const assertions = {
    eq: builtin('eq', 'x, y', (x, y) => (equal(x, y) ? null : failed(`${repr(x)} != ${repr(y)}`))),
    ne: builtin('ne', 'x, y', (x, y) => (equal(x, y) ? failed(`${repr(x)} == ${repr(y)}`) : null)),
    true: builtin('true', 'cond, msg=', (x, message) =>
      truth(x) ? null : failed(`not true: ${message === undefined ? repr(x) : str(message)}`),
    ),
    false: builtin('false', 'cond', (x) => (truth(x) ? failed(`not false: ${repr(x)}`) : null)),
    lt: builtin('lt', 'x, y', (x, y) => (less(x, y) ? null : failed(`${repr(x)} is not less than ${repr(y)}`))),
    contains: builtin('contains', 'x, y', (x, y) =>
      isIn(y, x) ? null : failed(`${repr(x)} does not contain ${repr(y)}`),
    ),
    fail: builtin('fail', '*args', (args) => failed(args.slice(1).map(str).join(' '))),
    fails: builtin('fails', 'f, pattern=', (f, pattern) => {
      const n = expected++
      const wanted = { n, pattern: pattern === undefined ? '' : str(pattern) }
      if (options.settled.includes(n)) return null
      report({ kind: 'provoking', ...wanted })
      let value
      try {
        value = call(f, [])
      } catch (e) {
        // The engine's own errors are explained by the host.
        const error = {
          native: !(e instanceof GuestError),
          name: String(e.name),
          message: String(e.message),
          stack: top(e.stack),
        }
        report({ kind: 'caught', ...wanted, error, hint: e.hint?.text })
        return null
      }
      return failed(`got ${repr(value)}, want an error: ${repr(pattern ?? null)}`)
    }),
  }

  // ---- objects with fields -------------------------------------------------------------------------------------

  class Struct {
    constructor(maker, fields) {
      this.maker = maker
      this.fields = fields
    }
  }
  const named = (pairs) => new Map([...new Map(pairs)].sort(([a], [b]) => (a < b ? -1 : 1)))
  const maker = (x) => (x.maker === undefined ? 'struct' : str(x.maker))
  Struct.prototype[PROTOCOL] = {
    getAttribute(x, name) {
      return x.fields.get(name)
    },
    attributeNames: (x) => [...x.fields.keys()],
    repr(x) {
      const is = options.kind === 'rust' ? '=' : ' = '
      return `${maker(x)}(${[...x.fields].map(([name, v]) => name + is + repr(v)).join(', ')})`
    },
    equals(x, y) {
      if (!(y instanceof Struct) || x.maker !== y.maker || x.fields.size !== y.fields.size)
        return y instanceof Struct ? false : undefined
      return [...x.fields].every(([name, v]) => y.fields.has(name) && equal(v, y.fields.get(name)))
    },
    binary(operator, x, y, reflected) {
      if (operator !== '+' || reflected || !(y instanceof Struct)) return undefined
      if (x.maker !== y.maker) {
        throw guestError('TypeError', `different constructors: ${maker(x)} + ${maker(y)}`)
      }
      return new Struct(x.maker, named([...x.fields, ...y.fields]))
    },
    jsonForm: (x) => new Map(x.fields),
    hashKey: (x) => tuple([x.maker ?? null, ...[...x.fields].map((field) => tuple(field))]),
    held: (x) => [...x.fields.values()],
  }
  nameClass((x) => x instanceof Struct, 'struct')

  const struct = builtin(
    'struct',
    '**kwargs',
    (fields) => new Struct(undefined, options.kind === 'rust' ? fields : named(fields)),
  )

  /** What starlark-go's `gensym` makes: called, it makes structs of its own kind. */
  class Maker {
    constructor(name) {
      this.name = name
    }
  }
  Maker.prototype[PROTOCOL] = {
    repr: (x) => x.name,
    call: (x, _, given = []) => new Struct(x, named(given.flatMap((v, i) => (i % 2 === 0 ? [[v, given[i + 1]]] : [])))),
  }
  nameClass((x) => x instanceof Maker, 'symbol')
  const gensym = builtin('gensym', 'name', (name) => new Maker(str(name)))

  /** Fields that can be set: starlark-go's `hasfields` and Bazel's `mutablestruct`. */
  class Fields {
    constructor(type, fields) {
      this.type = type
      this.fields = fields
    }
  }
  Fields.prototype[PROTOCOL] = {
    getAttribute: (x, name) => x.fields.get(name),
    attributeNames: (x) => [...x.fields.keys()].sort(),
    setAttribute(x, name, value) {
      if (prelude.isFrozen(x)) throw guestError('ValueError', `cannot set field on a frozen ${typeName(x)}`)
      if (x.type === 'hasfields' && name.startsWith('no')) return false
      x.fields.set(name, value)
      return true
    },
    binary: (operator, x, y, reflected) =>
      x.type === 'hasfields' && operator === '+' && reflected && Array.isArray(y) ? 42 : undefined,
    equals: (x, y) =>
      x.type === 'mutablestruct' && y instanceof Fields ? equal(new Map(x.fields), new Map(y.fields)) : undefined,
    repr: (x) =>
      x.type === 'hasfields'
        ? 'hasfields'
        : `mutablestruct(${[...named(x.fields)].map(([n, v]) => `${n} = ${repr(v)}`).join(', ')})`,
    jsonForm: (x) => new Map(x.fields),
    held: (x) => [...x.fields.values()],
  }
  nameClass(
    (x) => x instanceof Fields,
    (x) => x.type,
  )
  const hasfields = builtin('hasfields', '', () => new Fields('hasfields', new Map()))
  const mutablestruct = builtin('mutablestruct', '**kwargs', (fields) => new Fields('mutablestruct', fields))

  // ---- the rest ------------------------------------------------------------------------------------------------

  const freeze = builtin('freeze', 'x=', (x) => {
    if (x === undefined) prelude.freezeAll()
    else prelude.freeze(x)
    return x ?? null
  })
  const noop = builtin('noop', '*args, **kwargs', (args) => (args.length > 1 ? args[1] : null))

  /** Endless: its elements are computed when they are asked for. */
  class Fibonacci {}
  nameClass((x) => x instanceof Fibonacci, 'fibonacci')
  Fibonacci.prototype[PROTOCOL] = {
    items() {
      const known = [0, 1]
      const get = (_, i) => {
        if (i === 'length') return Infinity
        while (known.length <= i) known.push(prelude.add(known[known.length - 1], known[known.length - 2]))
        return known[i]
      }
      return new Proxy(known, { get })
    },
  }

  const { eq, ne, lt, fails } = assertions
  const renamed = (f, name) => prelude.define((...args) => f(...args), { ...f.sig, name })
  if (options.kind === 'go') {
    const { false: _, ...members } = assertions
    const assert = prelude.module('assert', members)
    return {
      predeclared: { hasfields, fibonacci: new Fibonacci(), struct, gensym },
      modules: {
        'assert.star': { assert, freeze },
        'json.star': { json: prelude.modules.json },
        'math.star': { math: prelude.modules.math },
      },
    }
  }
  return {
    predeclared: {
      assert_: renamed(assertions.true, 'assert_'),
      assert_eq: renamed(eq, 'assert_eq'),
      assert_ne: renamed(ne, 'assert_ne'),
      assert_true: renamed(assertions.true, 'assert_true'),
      assert_false: renamed(assertions.false, 'assert_false'),
      assert_lt: renamed(lt, 'assert_lt'),
      assert_fails: renamed(fails, 'assert_fails'),
      noop,
      freeze,
      struct,
      mutablestruct,
    },
    modules: {},
  }
}
