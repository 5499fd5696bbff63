// Programs that call every function of every module and every method of every type with marked values in each place,
// and say how each call ended: as the guest reports it to the host. What a test does with it is its own.

import type { MarkedValue } from '../../dist/diagnostics/index.js'
import type { GuestExtension } from '../../dist/interpreter/index.js'
import { compile } from '../../dist/interpreter/stages.js'
import { universeOf } from '../../dist/interpreter/universe.js'
import type { Sandbox } from '../../dist/sandbox/index.js'

/** What every marked value has in it, however it is written. */
export const MARK = /SECRET|481516|4815\.162/

/** How a call ended. */
export interface Ended {
  readonly call: string
  readonly error: {
    readonly kind: string
    readonly message: string
    readonly hint?: string
    readonly code?: string
    readonly values?: readonly MarkedValue[]
    readonly hintValues?: readonly MarkedValue[]
    readonly isOwn?: boolean
  }
}

const extension: GuestExtension = {
  name: 'ends',
  source: `(prelude) => ({
    predeclared: {
      ended: prelude.builtin('ended', 'f', (f) => {
        const said = JSON.parse(prelude.start(undefined, () => { f(); return undefined }))
        if (said.ok) return ''
        delete said.error.stack
        return JSON.stringify(said.error)
      }),
    },
    modules: {},
  })`,
  predeclared: ['ended'],
  modules: {},
}

const VALUES = `
class Owned:
    def __init__(self):
        self.name = "SECRET attribute"
    def __repr__(self):
        return "<SECRET object>"
import datetime, decimal, fractions, collections
S = "SECRET words"
def values(): return {
    "S": S, "Q": "SECRET'\\"<b>'", "K": "SECRETkey", "N": 481516, "B": 481516234200000000000, "M": -481516, "F": 4815.1623,
    "L": [S, 481516], "T": (S, 481516), "D": {S: 481516}, "E": {"k": S}, "X": {S}, "Y": S.encode(), "O": Owned(), "C": Owned,
    "Z": datetime.date(1996, 2, 29), "P": decimal.Decimal("4815.1623"), "R": ValueError(S), "G": lambda *a, **k: S,
    "U": "SECRET\\udc80é", "J": '{"SECRET": 481516', "H": "SECRET:%d{x}[(", "V": "481516-SECRET",
}
plain = {"one": 1, "text": "a", "list": [], "none": None, "dict": {}}
shapes = [
    lambda n, v: (n, (v,), {}),
    lambda n, v: (n + ", " + n, (v, v), {}),
    lambda n, v: (n + ", " + n + ", " + n, (v, v, v), {}),
    lambda n, v: (n + "=", (), {"SECRETname": v}),
    lambda n, v: (n + ", name=", (v,), {"SECRETname": v}),
]
for m in plain:
    shapes.append(lambda n, v, m=m: (m + ", " + n, (copy.copy(plain[m]), v), {}))
    shapes.append(lambda n, v, m=m: (n + ", " + m, (v, copy.copy(plain[m])), {}))
names = list(values())
def each(name, f):
    seen = {""}
    given = values()
    for i in range(FIRST, len(names) * len(shapes) + 1, EVERY):
        n = names[i // len(shapes)] if i < len(names) * len(shapes) else ""
        written, args, named = shapes[i % len(shapes)](n, given[n]) if n else ("", (), {})
        said = ended(lambda: f(*args, **named))
        if said not in seen: print(json.dumps([name + "(" + written + ")", said]))
        seen.add(said)
import copy, json
`

const STRICT_VALUES = `
S = "SECRET words"
def values():
    return {
        "S": S, "Q": "SECRET'\\"<b>'", "K": "SECRETkey", "N": 481516, "B": 481516234200000000000, "M": -481516, "F": 4815.1623,
        "L": [S, 481516], "T": (S, 481516), "D": {S: 481516}, "E": {"k": S}, "Y": bytes(S), "G": lambda *a, **k: S, "H": "SECRET:%d{x}[(",
    }
def each(name, f):
    for i, (n, v) in enumerate(values().items()):
        if (i + FIRST) % EVERY != 0: continue
        for written, args in [
            (n, (v,)), (n + ", " + n, (v, v)), (n + ", " + n + ", " + n, (v, v, v)), ("one, " + n, (1, v)), ("text, " + n, ("a", v)),
            ("list, " + n, ([], v)), (n + ", one", (v, 1)), (n + ", text", (v, "a")),
        ]:
            said = ended(lambda: f(*args))
            if said != "": print(json.encode([name + "(" + written + ")", said]))
        said = ended(lambda: f(v, SECRETname = v))
        if said != "": print(json.encode([name + "(" + n + ", name=)", said]))
`

/** The same in the strict dialect: each call is made with every `every`-th value, from `first` on. */
export function strictPrograms(every: number, first: number): string[] {
  const { names, types } = universeOf('strict')
  const functions = [...names]
    .filter((name) => /^[a-z]\w*$/.test(name) && !/^(json|math|memory|time|fail|print|load)$/.test(name))
    .map((name) => `each(${JSON.stringify(name)}, ${name})`)
  const methods = Object.entries({
    string: '"a"',
    bytes: 'b"a"',
    list: '[S]',
    dict: '{S: 1}',
    set: 'set([S])',
  }).flatMap(([type, receiver]) =>
    [...(types.get(type) ?? new Map()).keys()].map(
      (method) => `each(${JSON.stringify(`${receiver}.${method}`)}, getattr(${receiver}, "${method}"))`,
    ),
  )
  const operators = ['+', '-', '*', '/', '//', '%', '|', '&', '^', '<<', '<', '>=', 'in', 'not in'].map(
    (operator) => `each(${JSON.stringify(operator)}, lambda a, b: a ${operator} b)`,
  )
  const others = [
    'a[b]',
    'a[b:]',
    'getattr(a, b)',
    '{}[a, b]',
    'a.format(b)',
    'math.sqrt(a)',
    'math.pow(a, b)',
    'json.decode(a)',
  ].map((expression) => `each(${JSON.stringify(expression)}, lambda a, b: ${expression})`)
  return [functions, methods, operators, others].map(
    (calls) => `EVERY, FIRST = ${every}, ${first}\n${STRICT_VALUES}${calls.join('\n')}`,
  )
}

/** Calls that a marked number makes long or that wait. */
const LONG =
  /\b(factorial|i?mul|__i?mul__|comb|perm|sleep|sample|choices|randbytes|getrandbits|product|permutations|combinations|combinations_with_replacement|pow|__pow__|ipow|lshift|ilshift|tee|repeat|cycle|count|prcal|setcontext|exit|input)\b/

/** Each call is made with every `every`-th of all arguments, from `first` on. */
export function programs(every: number, first: number): string[] {
  const { names, modules, types } = universeOf('default')
  const all = [...names].filter((name) => /^[a-z]\w*$/.test(name) && !modules.has(name) && !LONG.test(name))
  const functions = all.map((name) => `each(${JSON.stringify(name)}, ${name})`)
  const ofModules = [...modules]
    .filter(([module]) => !/^(artifacts|mcp|memory|runtime|results)$|^mcp\./.test(module))
    .map(([module, members]) => [
      module.startsWith('os') ? `m = ${module}` : `import ${module} as m`,
      ...members
        // A module in a module is there once it is imported, and has its own turn.
        .filter((member) => !LONG.test(member) && /^\w+$/.test(member) && !modules.has(`${module}.${member}`))
        .map((member) => `each(${JSON.stringify(`${module}.${member}`)}, getattr(m, "${member}"))`),
    ])
  const receivers: Record<string, string[]> = {
    str: ['"a"', 'S', '""'],
    bytes: ['b"a"', 'S.encode()'],
    bytearray: ['bytearray(b"SECRET")'],
    list: ['[]', '[S]'],
    tuple: ['()', '(S,)'],
    dict: ['{}', '{S: 1}', '{"a": S}'],
    set: ['set()', '{S}'],
    frozenset: ['frozenset([S])'],
    int: ['1', '481516'],
    float: ['1.5', '4815.1623'],
    bool: ['True'],
    range: ['range(3)'],
  }
  const ofTypes = Object.entries(receivers).map(([type, written]) =>
    [...(types.get(type) ?? new Map()).keys()]
      .filter((method) => !LONG.test(method))
      .flatMap((method) =>
        written.map(
          (receiver) =>
            `each(${JSON.stringify(`${receiver}.${method}`)}, lambda *a, **k: getattr(${receiver}, "${method}")(*a, **k))`,
        ),
      ),
  )
  return [functions, ...ofModules, ...ofTypes]
    .filter((calls) => calls.some((call) => call.startsWith('each(')))
    .map((calls) => `EVERY, FIRST = ${every}, ${first}\n${VALUES}${calls.join('\n')}`)
}

/** Runs one of them. */
export async function endsOf(
  sandbox: Sandbox,
  text: string,
  strict = false,
): Promise<{ readonly ends: Ended[]; readonly end: string }> {
  const compiled = compile({ text, language: 'starlark' }, { unchecked: true, extension, dialect: { strict } })
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('\n'))
  const ends: Ended[] = []
  const end = await sandbox.run({
    image: compiled.program.image,
    code: compiled.program.code,
    onCall: () => Promise.reject(new Error('no tools here')),
    onPrint: (piece) => {
      for (const line of piece.split('\n')) {
        if (!line.startsWith('["')) continue
        const [call, said] = JSON.parse(line) as [string, string]
        ends.push({ call, error: JSON.parse(said) as Ended['error'] })
      }
    },
  })
  return { ends, end: end.kind === 'completed' ? end.payload : JSON.stringify(end) }
}
