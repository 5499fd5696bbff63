// Places that a value which nobody has looked at can get to. Wherever it goes, and whoever else holds it, the program
// prints what it prints when it waits for every call.

import { expect, it } from 'vitest'
import { bench, failure, structured } from './bench.js'

const programs: readonly string[] = [
  'l = [get(1), get(2), get(3)]\nl[1:2] = [get(9), get(8)]\nprint(l)',
  'l = [1, 2, 3]\nm = [get(9), get(8)]\nl[1:2] = m\nm[0]["k"] = 1\nprint(l, m)',
  'l = [0] * 6\nl[::2] = [get(i) for i in range(3)]\nprint(l)\nl[0:1], y = [get(1)], 2\nprint(l, y)',
  'l = [0]\ndef f():\n    l.append(get(3))\n    return 0\nl[f():1] = [get(2)]\nprint(l)',
  'l = [0]\nl[:] = (get(i) for i in range(3))\nprint(l)',
  'l = [get(1)] * 3\nl[0]["k"] = 5\nm = l[:]\nm[1]["q"] = 1\nprint(l, m)',
  'l = []\nl += [get(1)]\nl.extend([get(2)])\nl.insert(0, get(3))\nprint(l.pop(), l)',
  's = [get(1)]\nt = s + [get(2)]\nu = t * 2\ns[0]["q"] = 1\nprint(s, t, u)',
  'd = {"a": get(1)}\ne = {**d, "b": get(2)}\nd["a"]["z"] = 1\nd |= {"c": get(3)}\nprint(d, e, dict(a=get(4)), dict(zip("ab", [get(5), get(6)])))',
  'd = {}\nfor d["k"] in [get(1), get(2)]:\n    print(len(d))\nprint(d)',
  'l, d = [1, 2], {}\n(l[0], d["k"]) = get(1), get(2)\nl[0], l[1] = l[1], l[0]\nprint(l, d)',
  'd = {}\nd.setdefault("a", []).append(get(1))\nd.update(b=get(2))\ndel d["b"]\nprint(d, d.pop("a"))',
  'x = get(1)\nl = [x]\nx = get(2)\nl.append(x)\ndel x\nprint(l)',
  'x, *rest = [get(i) for i in range(4)]\nprint(x, rest, [*rest], (*rest, get(5)))',
  'def f(x=get(1), *more, **named):\n    x["n"] = 1\n    return x, more, named\nprint(f(), f(), f(get(2), *[get(3)], **{"z": get(4)}))',
  'print([f() for f in [lambda x=get(i): x["id"] for i in range(3)]])',
  'def outer():\n    v = get(1)\n    def inner():\n        nonlocal v\n        v = [v, get(2)]\n        return v\n    return inner(), v\nprint(outer())',
  'class C:\n    k = get(7)\n    def __init__(self, v):\n        self.v = v\nc = C(get(1))\nc.w = c.v\nc.w["z"] = 1\nprint(c.v, C.k, vars(c))',
  'class K:\n    def __init__(self):\n        self.d = {}\n    def __setitem__(self, k, v):\n        self.d[k] = v\n    def __getitem__(self, k):\n        return self.d[k]\n    def __call__(self, v):\n        return [v, self.d]\nk = K()\nk["x"] = get(1)\nk["y"] = [get(2)]\nprint(k["x"], k(get(3)))',
  'def g():\n    got = yield get(1)\n    print(got)\n    yield [get(2)]\nit = g()\nprint(next(it), it.send(get(3)))',
  'e = ValueError(get(1))\ntry:\n    raise e\nexcept ValueError as f:\n    print(f.args)',
  'import copy\nx = [get(1)]\ny, z = copy.deepcopy(x), copy.copy(x)\ny[0]["k"] = 1\nz[0]["m"] = 2\nprint(x, y, z)',
  'x = {"v": get(1)}\nx["self"] = x\nprint(x["v"], len(x), x["self"]["v"])',
  'out = []\nfor i in (1, 13, 2):\n    try:\n        out.append(get(i))\n    except Exception as e:\n        out.append(str(e))\n    else:\n        out.append("else")\n    finally:\n        out.append("end")\nprint(out)',
  'try:\n    x = {"a": get(1), "b": get(13)}\nexcept Exception as e:\n    x = {"failed": str(e)}\nx["c"] = get(2)\napi.put()\nx["d"] = get(3)\nresult = x',
  'l = [0]\ntry:\n    l[0:1] = [get(1), get(13)]\nexcept Exception as e:\n    l.append(str(e))\nprint(l)',
]

function table() {
  let writes = 0
  return bench(
    {
      get: {
        annotations: { readOnlyHint: true },
        answers: ({ id }) => (id === 13 ? failure('unlucky') : structured({ id, writes })),
      },
      put: { answers: () => structured({ writes: ++writes }) },
    },
    { readsAhead: (_, { annotations }) => annotations?.readOnlyHint === true },
  )
}

it.each(programs)('%s', async (program) => {
  const code = program.replace(/\bget\(/g, 'api.get(id=')
  const shown = async (readAhead: boolean) => {
    const { ok, result, logs, calls } = await table().run(code, { readAhead })
    return { ok, result, logs, calls: calls.map(({ tool, outcome }) => `${tool} ${outcome}`) }
  }
  const waiting = await shown(false)
  expect(waiting.ok).toBe(true)
  expect(await shown(true)).toEqual(waiting)
})

it('fails with the stack of its call, whoever called the function before', async () => {
  const code = `
def both(first):
    found = []
    for i in range(2):
        found.append(api.get(id=first + i))
    return found
def twice(n):
    return both(5) if n == 0 else twice(n - 1)
a = both(1)
b = twice(2)
c = both(12)
result = [a, b, c]`
  const failed = async (readAhead: boolean) => {
    const { error, report } = await table().run(code, { readAhead })
    return { error, report }
  }
  const waiting = await failed(false)
  expect(waiting.report).toContain('in <toplevel> at 11:5')
  expect(await failed(true)).toEqual(waiting)
})
