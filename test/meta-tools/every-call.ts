// Programs that call every function of every module and every method of every type with marked values in each place, and say how each call ended:
// as the guest reports it to the host. What a test does with it is its own.

import { universeOf } from '../../dist/interpreter/compile/universe.js'
import type { GuestExtension } from '../../dist/interpreter/index.js'
import { compile } from '../../dist/interpreter/stages.js'
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
    readonly values?: readonly [number, number, string, (string | string[])?][]
    readonly hintValues?: readonly [number, number, string, (string | string[])?][]
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
def arguments():
    for n, v in values().items():
        yield n, (v,), {}
        yield n + ", " + n, (v, v), {}
        yield n + ", " + n + ", " + n, (v, v, v), {}
        yield n + "=", (), {"SECRETname": v}
        yield n + ", name=", (v,), {"SECRETname": v}
        for m, p in plain.items():
            yield m + ", " + n, (p, v), {}
            yield n + ", " + m, (v, p), {}
    yield "", (), {}
def each(name, f):
    seen = {""}
    for i, (written, args, named) in enumerate(arguments()):
        if i % EVERY != FIRST: continue
        said = ended(lambda: f(*args, **named))
        if said not in seen: print(json.dumps([name + "(" + written + ")", said]))
        seen.add(said)
import json
`

/** Calls that a marked number makes long or that wait. */
const LONG =
  /\b(factorial|i?mul|__i?mul__|comb|perm|sleep|sample|choices|randbytes|getrandbits|product|permutations|combinations|combinations_with_replacement|pow|__pow__|ipow|lshift|ilshift|tee|repeat|cycle|count|prcal|setcontext|exit|input)\b/

/** Each call is made with every `every`-th of all arguments, from `first` on. */
export function programs(every: number, first: number): string[] {
  const { names, modules, types } = universeOf('default')
  const all = [...names].filter((name) => /^[a-z]\w*$/.test(name) && !modules.has(name) && !LONG.test(name))
  const functions = all.map((name) => `each(${JSON.stringify(name)}, ${name})`)
  const ofModules = [...modules]
    .filter(([module]) => !/^(mcp|runtime|results)$|^mcp\./.test(module))
    .map(([module, members]) => [
      module.startsWith('os') ? `m = ${module}` : `import ${module} as m`,
      ...members
        .filter((member) => !LONG.test(member) && /^\w+$/.test(member))
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
): Promise<{ readonly ends: Ended[]; readonly end: string }> {
  const compiled = compile({ text, language: 'starlark' }, { unchecked: true, extension })
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
