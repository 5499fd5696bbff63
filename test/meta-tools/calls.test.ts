// What a program sends to a tool and what it gets back, with the real guest between.

import { describe, expect, it } from 'vitest'
import { Observations, type ToolOutcome } from '../../dist/bindings/index.js'
import { bench, failure, lost, structured, text } from './bench.js'

const anything = { type: 'object', properties: { a: {}, text: { type: 'string' }, data: { type: 'object' } } }
const echo = { echo: { inputSchema: anything, answers: text('ok') } }

describe('arguments', () => {
  it('are passed by keyword, by position in stub order, or as one dict', async () => {
    const { run, sent } = bench(echo)
    await run('api.echo(a=1, text="x")\napi.echo(1, "x")\napi.echo({"a": 1, "text": "x"})')
    expect(sent.map((call) => call.args)).toEqual([1, 2, 3].map(() => ({ a: 1, text: 'x' })))
  })

  it('are all evaluated before one of them is written', async () => {
    const { run, sent } = bench(echo)
    const code = `
x, y = [1], {1}
api.echo(a=x, text="t", data={"n": x.append(2)})
def wrong():
    api.echo(a=y, text=print("evaluated"))
try:
    wrong()
except TypeError as e:
    print(e)`
    const { logs } = await run(code)
    expect(sent.map((call) => call.args)).toEqual([{ a: [1, 2], text: 't', data: { n: null } }])
    expect(logs).toEqual(['evaluated', "api.echo: a can't be sent as JSON: JSON has no set"])
  })

  it('are converted to JSON types if nothing is lost', async () => {
    const { run, sent } = bench(echo)
    const code = `
import datetime
api.echo(a=(1, 2.0, "x"))
api.echo(a=range(3))
api.echo(a={"k": [True, None]}.values())
api.echo(a=datetime.date(2024, 2, 29))
api.echo(a={"at": datetime.datetime(2024, 2, 29, 12, 30)})`
    expect((await run(code)).report).toMatch(/^called api\.echo ×5/)
    expect(sent.map((call) => call.args.a)).toEqual([
      [1, 2, 'x'],
      [0, 1, 2],
      [[true, null]],
      '2024-02-29',
      { at: '2024-02-29T12:30:00' },
    ])
  })

  it.each([
    ['{1, 2}', 'JSON has no set', 'send a list: sorted(s) or list(s)'],
    ['[0, {"k": {1}}]', 'at list index 1: in dict key "k": JSON has no set', undefined],
    ['b"x"', 'JSON has no bytes', 'send text: b.decode(), or base64.b64encode(b).decode()'],
    ['{1: 2}', 'dict has int key, want string', undefined],
    ['float("nan")', 'cannot encode non-finite float nan', undefined],
    ['len', 'cannot encode builtin_function_or_method as JSON', undefined],
  ])('without a JSON form are refused by name before the call is sent: %s', async (value, problem, hint) => {
    const { run, sent } = bench(echo)
    expect((await run(`api.echo(a=${value})`)).error).toMatchObject({
      class: 'program error',
      code: 'argument-not-json',
      message: `TypeError: api.echo: a can't be sent as JSON: ${problem}`,
      hint: hint ?? null,
    })
    expect(sent).toEqual([])
  })

  it.each([
    ['a call that waits', false, '"a": 1'],
    ['a read that runs ahead', true, '"a": 1'],
    ['many arguments', true, [...'abcdefghij'].map((name, i) => `"${name}": ${i}`).join(', ')],
  ])(
    'that are given twice, which ** can do, raise an exception before the call is sent: %s',
    async (_, ahead, given) => {
      const { printed, sent } = bench(
        { echo: { answers: text('ok'), annotations: { readOnlyHint: true } } },
        { readsAhead: () => ahead },
      )
      const code = `d = {${given}}\ntry:\n    x = api.echo(**d, a=2)\nexcept TypeError as e:\n    print(e)`
      expect(await printed(code)).toEqual(["api.echo() got multiple values for keyword argument 'a'"])
      expect(sent).toEqual([])
    },
  )

  it('that are wrong raise an exception before the call is sent', async () => {
    const { printed, sent } = bench(echo)
    const code = 'try:\n    api.echo(text=7)\nexcept TypeError as e:\n    print(e)'
    expect(await printed(code)).toEqual(['api.echo: text: got int 7, want str'])
    expect(sent).toEqual([])
  })
})

describe('JSON text', () => {
  const source = '{"items": [1, 2.0, 12345678901234567890], "n": {"a": 1}}'
  const tools = { object: { answers: text(source) }, list: { answers: text('[{"a":1},\n {"a":2}]') }, ...echo }

  it.each([
    ['x["items"][0]', '1'],
    ['x["items"]', '[1, 2.0, 12345678901234567890]'],
    ['x.get("n"), x.get("z")', "{'a': 1} None"],
    ['sorted(x.keys())', "['items', 'n']"],
    ['x["n"], len(x), "items" in x, "1" in x', "{'a': 1} 2 True False"],
    ['x["n"], [k for k in x]', "{'a': 1} ['items', 'n']"],
    ['{**x}["n"]', "{'a': 1}"],
    ['x == {"n": {"a": 1}, "items": [1, 2, 12345678901234567890]}', 'True'],
    ['isinstance(x, dict), type(x).__name__', 'True dict'],
    ['json.dumps(x["n"])', '{"a": 1}'],
    ['json.dumps(x)', '{"items": [1, 2.0, 12345678901234567890], "n": {"a": 1}}'],
  ])('is data to %s', async (expression, shown) => {
    const { printed } = bench(tools)
    expect(await printed(`import json\nx = api.object()\nprint(${expression})`)).toEqual([shown])
  })

  it.each([
    ['x', source],
    ['json.loads(x)["items"][2] + 1', '12345678901234567891'],
    ['isinstance(x, str)', 'True'],
    ['x.splitlines()[0] == str(x)', 'True'],
    ['x.upper()[:8]', '{"ITEMS"'],
    ['x[:8], x[0], x[-1]', `{"items" { }`],
    ['"<" + x + ">"', `<${source}>`],
    ['f"{x}"', source],
    ['"%s" % x', source],
    ['"{}".format(x)', source],
    [`x == ${JSON.stringify(source)}`, 'True'],
    ['", ".join(["a", x])', `a, ${source}`],
    ['re.findall("[0-9.]+", x)[:2]', "['1', '2.0']"],
    ['x in "a" + x', 'True'],
    ['x.find("items"), (lambda f: f("n"))(x.find)', '2 43'],
  ])('is text to %s', async (expression, shown) => {
    const { printed } = bench(tools)
    expect(await printed(`import json, re\nx = api.object()\nprint(${expression})`)).toEqual([shown])
  })

  it('that is a list works as a list and as text', async () => {
    const { printed } = bench(tools)
    const code = 'x = api.list()\nprint(x[0], x[:1], [e["a"] for e in x], x.splitlines()[1], x + [3])'
    expect(await printed(code)).toEqual(["{'a': 1} [{'a': 1}] [1, 2]  {\"a\":2}] [{'a': 1}, {'a': 2}, 3]"])
  })

  it('loses its text when the program changes the data', async () => {
    const { printed } = bench(tools)
    const code = `
x = api.object()
x["n"]["a"] = 5
print(x, isinstance(x, str), x + "" if isinstance(x, str) else "data")
y = api.list()
y.append(1)
print(y)
try:
    y.splitlines()
except AttributeError as e:
    print(e)`
    expect(await printed(code)).toEqual([
      "{'items': [1, 2.0, 12345678901234567890], 'n': {'a': 5}} False data",
      "[{'a': 1}, {'a': 2}, 1]",
      "'list' object has no attribute 'splitlines'",
    ])
  })

  it('is passed to another tool as text if it takes text, else as data', async () => {
    const { run, sent } = bench(tools)
    await run('x = api.list()\napi.echo(a=x, text=x, data=x[0])\napi.echo({"text": x})\napi.echo(text=api.object())')
    expect(sent.filter((call) => call.tool === 'echo').map((call) => call.args)).toEqual([
      { a: [{ a: 1 }, { a: 2 }], text: '[{"a":1},\n {"a":2}]', data: { a: 1 } },
      { text: '[{"a":1},\n {"a":2}]' },
      { text: source },
    ])
  })

  it('is data in a result', async () => {
    const { run } = bench(tools)
    expect(await run('result = api.object()')).toMatchObject({
      resultJson: '{"items":[1,2.0,12345678901234567890],"n":{"a":1}}',
    })
  })

  it('is text or data as configured', async () => {
    const asText = bench(tools, { resultForm: () => 'text' })
    expect(await asText.printed('x = api.object()\nprint(type(x).__name__, len(x))')).toEqual([`str ${source.length}`])
    const asJson = bench({ ...tools, number: { answers: text('120') } }, { resultForm: () => 'json' })
    const code = 'print(api.number() + 1, isinstance(api.object(), str))'
    expect(await asJson.printed(code)).toEqual(['121 False'])
  })

  it('is text if the tool declares a string or has only returned text', async () => {
    const declares = { result: { type: 'string' } }
    const outputSchema = { type: 'object', properties: declares, required: ['result'] }
    const declared = bench({ read: { outputSchema, answers: text('{"a":1}') } })
    expect(await declared.printed('print(type(api.read()).__name__)')).toEqual(['str'])
    let answer = 'hello'
    const seen = bench({ read: { answers: () => text(answer) } })
    await seen.printed('for i in range(5):\n    api.read()')
    answer = '{"a":1}'
    expect(await seen.printed('print(type(api.read()).__name__)')).toEqual(['str'])
  })

  it('that is a single value stays text', async () => {
    const { printed } = bench({ say: { answers: (args: unknown) => text((args as { a: string }).a) } })
    const code = 'for t in ["120", "true", "null", "\\"x\\"", "{broken"]:\n    print(repr(api.say(a=t)))'
    expect(await printed(code)).toEqual(["'120'", "'true'", "'null'", `'"x"'`, "'{broken'"])
  })
})

describe('numbers', () => {
  const price = { type: 'object', properties: { price: { type: 'number' }, n: { type: 'integer' } } }
  const prices = { type: 'object', properties: { result: { type: 'array', items: price } }, required: ['result'] }
  it.each<[string, ToolOutcome, object | undefined, string]>([
    [
      'of text',
      text('{"price": 120.0, "n": 3, "big": 12345678901234567890}'),
      undefined,
      "{'price': 120.0, 'n': 3, 'big': 12345678901234567890}",
    ],
    [
      'of structured content whose text repeats it',
      structured({ price: 120, n: 3 }, '{"price":120.0,"n":3}'),
      undefined,
      "{'price': 120.0, 'n': 3}",
    ],
    [
      'of a list with one text for each element',
      structured({ result: [{ price: 1 }, { price: 2 }] }, '{"price":1.0}', '{"price":2}'),
      prices,
      "[{'price': 1.0}, {'price': 2}]",
    ],
    ['of structured content alone, by the schema', structured({ price: 120, n: 3 }), price, "{'price': 120.0, 'n': 3}"],
    [
      'of structured content alone, in a list',
      structured({ result: [{ price: 1, n: 1 }] }),
      prices,
      "[{'price': 1.0, 'n': 1}]",
    ],
    ['of structured content without a schema', structured({ price: 120 }), undefined, "{'price': 120}"],
    [
      'in the order of the keys',
      text('{"2": 1, "b": 2, "1": 3, "a": 4}'),
      undefined,
      "{'2': 1, 'b': 2, '1': 3, 'a': 4}",
    ],
  ])('%s keep their kind', async (_, answers, outputSchema, shown) => {
    const { printed } = bench({ get: { answers, ...(outputSchema ? { outputSchema } : {}) } } as never)
    expect(await printed('x = api.get()\nprint({**x} if isinstance(x, dict) else list(x))')).toEqual([shown])
  })

  it.each([
    ['{"a":1,"b":-2.5,"c":[true,null,"x"]}', "{'a': 1, 'b': -2.5, 'c': [True, None, 'x']}"],
    ['[1.0, 1e3, 2E-1, 5]', '[1.0, 1000.0, 0.2, 5]'],
    ['[0.99999999999999999999, 4.99999]', '[1.0, 4.99999]'],
    ['[999999999999999, 9007199254740993]', '[999999999999999, 9007199254740993]'],
    ['[1234567890123.5, -12345678901234567890]', '[1234567890123.5, -12345678901234567890]'],
    ['{"b":1,"2":2,"1":3}', "{'b': 1, '2': 2, '1': 3}"],
    ['{"b":1,"2" :2}', "{'b': 1, '2': 2}"],
    ['{"b":1,"\\u0031":2}', "{'b': 1, '1': 2}"],
    ['{"__proto__":{"a":1},"b":"__proto__"}', "{'__proto__': {'a': 1}, 'b': '__proto__'}"],
    ['{"a":1,"b":2,"a":3}', "{'a': 3, 'b': 2}"],
    ['{"id":"3e5","at":"2024-01-01T00:00:00Z"}', "{'id': '3e5', 'at': '2024-01-01T00:00:00Z'}"],
  ])('are exact: %s', async (answer, shown) => {
    const { printed } = bench({ get: { answers: text(answer) } })
    expect(await printed('x = api.get()\nprint(repr(x if isinstance(x, (dict, list)) else json.loads(x)))')).toEqual([
      shown,
    ])
  })

  it('that may have lost digits are reported', async () => {
    const { run } = bench({ get: { answers: structured({ id: 2 ** 60 }) } })
    expect((await run('api.get()')).report.split('\n').slice(-1)).toEqual([
      'note: api.get answered an integer beyond 2**53 as structured content only: its last digits may be lost',
    ])
  })
})

describe('contents', () => {
  const data = Buffer.from([137, 80, 78, 71]).toString('base64')

  it('of every type become small records, with their bytes in files', async () => {
    const { run, vfs } = bench({
      get: {
        answers: {
          isError: false,
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', data, mimeType: 'image/png' },
            { type: 'audio', data, mimeType: 'audio/mpeg' },
            { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'hello' } },
            { type: 'resource_link', uri: 'a:c', name: 'c', mimeType: 'text/csv', size: 7 },
          ],
        },
      },
    })
    const { result } = await run('result = api.get()')
    expect(result).toEqual([
      'see',
      { type: 'image', ...vfs.artifact('results/api.get-image.png') },
      { type: 'audio', ...vfs.artifact('results/api.get-audio.mp3') },
      {
        type: 'resource',
        uri: 'a:b',
        ...vfs.artifact('results/api.get-resource.txt'),
        text: 'hello',
      },
      { type: 'resource_link', uri: 'a:c', name: 'c', mimeType: 'text/csv', size: 7 },
    ])
    expect([...vfs.readBytes('results/api.get-image.png')]).toEqual([137, 80, 78, 71])
    expect(vfs.read('results/api.get-resource.txt')).toBe('hello')
  })

  it('beside structured content are kept, and the answer names the files', async () => {
    const outcome = structured({ points: 3 }, '{"points":3}')
    const content = [...outcome.content, { type: 'image' as const, data, mimeType: 'image/png' }]
    const { run } = bench({ chart: { answers: { ...outcome, content } } })
    const { result, report } = await run('result = api.chart()')
    expect(result).toEqual({ points: 3 })
    expect(report.split('\n').slice(1)).toEqual([
      'note: api.chart answered an image besides its structured content: results/api.chart-image.png',
    ])
  })
})

describe('answers against the output schema', () => {
  const outputSchema = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } } },
    required: ['items'],
    additionalProperties: false,
  }
  it.each([
    [{ items: [{ price: 'secret' }] }, 'items[0].price is not float'],
    [{ items: 'secret' }, /^items is not list/],
    [{}, 'a key is missing'],
    [{ items: [], secret: 1 }, 'there is a key that it does not declare'],
  ])('are delivered with a note without their values: %j', async (content, problem) => {
    const { run } = bench({ get: { outputSchema, answers: structured(content) } })
    const { result, report } = await run('result = api.get()')
    expect(result).toEqual(content)
    const [, said] =
      /note: api\.get answered against its own output schema \((.*)\); its answer was delivered as it came$/.exec(
        report,
      ) ?? []
    if (typeof problem === 'string') expect(said).toBe(problem)
    else expect(said).toMatch(problem)
    expect(report).not.toContain('secret')
  })

  it('without structured content get a note', async () => {
    const { run } = bench({ get: { outputSchema, answers: text('hello') } })
    expect((await run('api.get()')).report).toContain(
      'note: api.get declares an output schema but answered without structured content; its answer was delivered as it came',
    )
  })
})

describe('a schema that an answer has contradicted', () => {
  const outputSchema = {
    type: 'object',
    properties: { total: { type: 'number' } },
    required: ['total'],
    additionalProperties: false,
  }
  const program = 'x = api.get()\nresult = x["amount"]'
  const refusal = { code: 'no-field', message: 'x has no field amount', hint: 'its fields are total' }

  it('refuses programs until an answer contradicts it', async () => {
    const { run, sent, context } = bench({ get: { outputSchema, answers: structured({ amount: 7 }) } })
    expect((await run(program)).error).toMatchObject(refusal)
    expect(sent).toEqual([])
    expect((await run('result = str(api.get())')).result).toBe("{'amount': 7}")
    expect((await run(program)).result).toBe(7)
    expect((await run('x = api.get()\nresult = x["amount"] + x.get("total", 1)')).result).toBe(8)
    const { observations } = context.bindings
    const restored = new Observations()
    expect(restored.restore(JSON.parse(JSON.stringify(observations)))).toBe(true)
    const tool = { name: 'get', inputSchema: { type: 'object' }, outputSchema }
    expect(restored.isDistrusted('api', tool)).toBe(true)
    expect(restored.isDistrusted('api', { ...tool, outputSchema: { type: 'object' } })).toBe(false)
  })

  it('affects that tool only', async () => {
    const { run } = bench({
      get: { outputSchema, answers: text('no structure') },
      other: { outputSchema, answers: structured({ total: 7 }) },
    })
    await run('api.get()\napi.other()')
    expect((await run('result = api.get().upper()')).result).toBe('NO STRUCTURE')
    expect((await run('result = api.other()["amount"]')).error).toMatchObject({ code: 'no-field' })
  })
})

describe('an answer that is used as another type', () => {
  it.each([
    [
      'x = api.list()\nx["title"]',
      "this is a list of 2 dicts with the keys 'number': index it with an int first, or loop over it",
    ],
    [
      'import json\nx = json.loads("[{\\"a\\": 1}]")\nx["b"]',
      `this is a list of one dict with the keys 'a': index it with an int first, or loop over it`,
    ],
    ['x = api.object().strip()\nx["a"]', 'this is a str of 10 characters: json.loads(…) gives its data'],
    ['x = api.page()\nx["a"]', 'this is a str of 3 lines: splitlines() gives them'],
  ])('gets a message with its real type: %j', async (code, hint) => {
    const tools = {
      list: { answers: text('[{"number":1},{"number":2}]') },
      object: { answers: text('{"a": "b"}') },
      page: { answers: text('one\ntwo\nthree') },
    }
    expect((await bench(tools).run(code)).error).toMatchObject({ code: 'type-error', hint })
  })
})

describe('failures of a tool', () => {
  it('raise ToolError with the upstream’s words', async () => {
    const { printed, run } = bench({ find: { answers: failure('no such "issue"\nin acme') } })
    const code =
      'try:\n    api.find()\nexcept ToolError as e:\n    print(e)\n    print([e.server, e.tool, e.code, e.message, e.data, e.args])'
    const words = `'no such "issue"\\nin acme'`
    expect(await printed(code)).toEqual([
      'no such "issue"',
      'in acme',
      `['api', 'find', 'tool-failed', ${words}, None, (${words},)]`,
    ])
    // Who reads a report has not seen the program's words.
    const reports = ['api.find()', 'try:\n    api.find()\nexcept ToolError as e:\n    raise e']
    for (const uncaught of reports)
      expect((await run(uncaught)).error?.message).toBe('api.find failed: "no such \\"issue\\" in acme"')
  })

  it('carry the data of the answer', async () => {
    const told = { ...failure('not here'), structuredContent: { status: 404, ids: [1] } }
    const { printed } = bench({ find: { answers: told }, get: { answers: failure('{"status": 404}') } })
    const code = (tool: string) => `try:\n    api.${tool}()\nexcept ToolError as e:\n    print(e, e.data["status"] + 1)`
    expect(await printed(code('find'))).toEqual(['not here 405'])
    expect(await printed(code('get'))).toEqual(['{"status": 404} 405'])
  })

  it('become a record with safe', async () => {
    const { printed } = bench({ find: { answers: failure('gone') }, get: { answers: text('{"a":1}') }, ...echo })
    const code = `
r = api.find.safe()
print(r.ok, r.value, r.error, r["ok"], r.get("error"), bool(r))
r = api.get.safe()
print(r, r.value["a"], bool(r))
print(api.echo.safe(text=1).error)
ok, failed = [api.get.safe(), api.find.safe()]
result = failed`
    expect(await printed(code)).toEqual([
      'False None gone False gone False',
      "{'ok': True, 'value': {'a': 1}, 'error': None} 1 True",
      'api.echo: text: got int 1, want str',
    ])
  })

  it('in transport keep their words, also for an invalid answer', async () => {
    const { printed, run } = bench({
      crash: {
        answers: () =>
          Promise.reject(lost('the connection to api was lost before crash answered; it may have taken effect')),
      },
      huge: { answers: text('x'.repeat(2_000)) },
    })
    const code = 'try:\n    api.crash()\nexcept ToolError as e:\n    print(e, e.code)'
    expect(await printed(code)).toEqual([
      'the connection to api was lost before crash answered; it may have taken effect server-lost',
    ])
    const limits = { responseBytes: 1_000 }
    const result = await run('try:\n    api.huge()\nexcept Exception as e:\n    print("caught")', { limits })
    expect(result.logs).toEqual([])
    expect(result.error).toMatchObject({
      class: 'limit',
      message: 'the answer of api.huge has 2000 bytes; the limit is 1000',
      hint: 'ask for less: a filter, a page or a range',
    })
  })

  it('come after the configured timeout of the tool', async () => {
    const { run, sent } = bench(
      { a: { answers: text('') }, b: { answers: text('') } },
      {
        callTimeoutMs: (server: string, tool: string) => (server === 'api' && tool === 'a' ? 700 : undefined),
      },
    )
    await run('api.a()\napi.b()')
    expect(sent.map((call) => call.timeoutMs)).toEqual([700, undefined])
  })
})

describe('a tool', () => {
  it('has its name and its description', async () => {
    const { printed } = bench({ 'get-one': { description: 'Gets one of them.', answers: text('') }, ...echo })
    const code =
      'print(api.get_one.name, api.get_one.__name__, api.__name__, dir(api), dir(api.get_one))\nprint(api.get_one.__doc__)\nhelp(api.echo)\nhelp(api)'
    expect((await printed(code)).join('\n')).toBe(
      `get_one get_one api ['echo', 'get_one'] ['map', 'name', 'safe']
def get_one(
    **extra: Any,
) -> Any:
    """
    Gets one of them.
    """
# tool "get-one" of server "api"
# example:
api.get_one()
def echo(
    a: Any = ...,
    text: str = ...,
    data: dict[str, Any] = ...,
) -> Any: ...
# example:
api.echo()
api.echo(a: Any = ..., text: str = ..., data: dict = ...) -> Any
api.get_one(**extra: Any) -> Any`,
    )
  })

  it('can be imported by name', async () => {
    const { printed, run, sent } = bench({ get: { answers: text('got') }, put: { answers: text('put') } })
    const code = `
from api import get, put as store
import api as a
def later():
    from api import get as fetch
    return fetch()
print(get(), store(), a.get(), later(), [f() for f in (get, store)])`
    expect(await printed(code)).toEqual(["got put got got ['got', 'put']"])
    sent.length = 0
    expect((await run('from api import gett, put\nput()')).error).toMatchObject({
      code: 'unknown-tool',
      message: 'api has no tool gett',
      hint: 'did you mean api.get?',
    })
    expect(sent).toEqual([])
  })

  it('can be called through either name of its server', async () => {
    const { printed } = bench({
      get: { answers: text('got') },
      index: { answers: text('i') },
      keys: { answers: text('k') },
    })
    expect(await printed('g = api\nprint(g.get(), g.index(), [s.keys() for s in [api]])')).toEqual(["got i ['k']"])
  })
})
