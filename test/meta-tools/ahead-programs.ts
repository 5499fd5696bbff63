// Random programs that read, write, fail, store what they read in all kinds of places and look at it in all kinds of
// ways. Most of them run to some failure, and that is good: where they fail, what they had printed and which calls they
// had made until then is what is compared.

import type { Random } from '../random.js'

export interface ProgramOptions {
  readonly strict: boolean
}

/** The text of a random program. */
export function randomProgram(random: Random, { strict }: ProgramOptions): string {
  return new Writer(random, strict).program()
}

type Kind = 'record' | 'records' | 'dict' | 'int' | 'any'

class Writer {
  readonly #random: Random
  readonly #strict: boolean
  readonly #lines: string[] = []
  #indent = 0
  #names = 0
  /** What can be named here, by what it holds. */
  readonly #scopes: Record<Kind, string[]>[] = []
  /** What may be called, with the kinds of its parameters and of its result. */
  #functions: { name: string; parameters: Kind[]; returns: Kind }[] = []
  #isGenerator = false
  #inFunction = false
  #inLoop = false

  constructor(random: Random, strict: boolean) {
    this.#random = random
    this.#strict = strict
  }

  program(): string {
    this.#open()
    if (!this.#strict) this.#line('import asyncio, concurrent.futures')
    this.#line(`i0 = ${this.#below(9)}`)
    this.#declare('int', 'i0')
    this.#line(`rs = [${this.#read('1')}, ${this.#read('2')}, ${this.#read('3')}]`)
    this.#declare('records', 'rs')
    this.#line('ds = {}')
    this.#declare('dict', 'ds')
    if (!this.#strict && this.#chance(0.3)) this.#classes()
    for (let n = this.#below(4); n > 0; n--) this.#function()
    for (let n = 4 + this.#below(10); n > 0; n--) this.#statement(3)
    if (this.#chance(0.8))
      this.#line(`result = ${this.#expression(this.#pick(['record', 'records', 'dict', 'int', 'any'] as const), 2)}`)
    return `${this.#lines.join('\n')}\n`
  }

  // ---- text ----------------------------------------------------------------------------------------------------

  #line(text: string): void {
    this.#lines.push(`${'  '.repeat(this.#indent)}${text}`)
  }

  #write(lines: readonly string[]): void {
    for (const line of lines) this.#line(line)
  }

  #block(head: string, write: () => void): void {
    this.#line(head)
    this.#indent++
    this.#open()
    write()
    this.#scopes.pop()
    this.#indent--
  }

  #open(): void {
    this.#scopes.push({ record: [], records: [], dict: [], int: [], any: [] })
  }

  #declare(kind: Kind, name: string): void {
    this.#scopes[this.#scopes.length - 1]![kind].push(name)
  }

  #fresh(): string {
    return `v${this.#names++}`
  }

  #known(kind: Kind): string | undefined {
    const all = this.#scopes.flatMap((scope) => scope[kind])
    return all.length === 0 ? undefined : this.#pick(all)
  }

  #below(n: number): number {
    return this.#random.below(n)
  }

  #chance(p: number): boolean {
    return this.#random.chance(p)
  }

  #pick<T>(all: readonly T[]): T {
    return this.#random.pick(all)
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  #statements(depth: number): void {
    for (let n = 1 + this.#below(3); n > 0; n--) this.#statement(depth)
  }

  #classes(): void {
    this.#block('class Box:', () => {
      this.#block('def __init__(self, a):', () => this.#line('self.a = a'))
      this.#block('def load(self, i):', () => {
        this.#line(`self.a = ${this.#read('i')}`)
        this.#line('return self.a')
      })
      if (this.#chance(0.5)) this.#block('def __eq__(self, other):', () => this.#line('return self.a == other.a'))
      if (this.#chance(0.5)) this.#block('def __repr__(self):', () => this.#line(`return f"Box({self.a})"`))
      if (this.#chance(0.5))
        this.#block('def __getitem__(self, k):', () =>
          this.#line(this.#chance(0.5) ? 'return self.a[k]' : `return ${this.#read('2')}`),
        )
    })
    this.#line(`box = Box(${this.#expression('record', 1)})`)
    this.#declare('any', 'box')
    this.#hasBox = true
  }

  #hasBox = false

  #function(): void {
    const name = `f${this.#names++}`
    const parameters: Kind[] = []
    for (let n = this.#below(3); n > 0; n--) parameters.push(this.#pick(['int', 'record', 'records', 'dict'] as const))
    const returns = this.#pick(['record', 'records', 'int', 'any', 'dict'] as const)
    const wasGenerator = this.#isGenerator
    const wasInside = this.#inFunction
    const wasInLoop = this.#inLoop
    this.#isGenerator = !this.#strict && this.#chance(0.2)
    this.#inFunction = true
    this.#inLoop = false
    const isGenerator = this.#isGenerator
    const names = parameters.map(() => this.#fresh())
    const defaults = names.map((n, i) =>
      parameters[i] === 'int' && this.#chance(0.2) && names.slice(i + 1).length === 0 ? `${n}=${this.#below(9)}` : n,
    )
    this.#block(`def ${name}(${defaults.join(', ')}):`, () => {
      for (const [i, n] of names.entries()) this.#declare(parameters[i]!, n)
      this.#statements(2)
      if (isGenerator) {
        this.#block(`for ${this.#fresh()} in range(${1 + this.#below(3)}):`, () =>
          this.#line(`yield ${this.#expression('record', 1)}`),
        )
      } else if (this.#chance(0.9)) this.#line(`return ${this.#expression(returns, 2)}`)
    })
    this.#isGenerator = wasGenerator
    this.#inFunction = wasInside
    this.#inLoop = wasInLoop
    this.#functions.push({ name, parameters, returns: isGenerator ? 'records' : returns })
  }

  #statement(depth: number): void {
    const simple = depth <= 0
    const choices: readonly (readonly [number, () => void])[] = [
      [8, () => this.#assign()],
      [3, () => this.#line(`rs.append(${this.#expression('record', 1)})`)],
      [3, () => this.#store()],
      [3, () => this.#line(`print(${this.#printed()})`)],
      [2, () => this.#line(`api.put(id=${this.#int()}, v=${this.#expression('int', 1)})`)],
      [1, () => this.#line(this.#read(this.#int()))],
      [1, () => this.#unpack()],
      [1.5, () => this.#mutate()],
      [this.#strict ? 0 : 1.5, () => this.#indirect()],
      [this.#strict ? 0 : 2, () => this.#looking()],
      [this.#strict || this.#inFunction || this.#indent > 2 ? 0 : 2, () => this.#called()],
      [simple ? 0 : 3, () => this.#loop(depth)],
      [simple ? 0 : 2, () => this.#branch(depth)],
      [simple || this.#strict ? 0 : 2, () => this.#try(depth)],
      [simple || this.#strict ? 0 : 1.5, () => this.#match(depth)],
      [simple || this.#inFunction ? 0 : 1, () => this.#function()],
      [this.#inFunction && !this.#isGenerator ? 0.4 : 0, () => this.#line(`return ${this.#expression('any', 1)}`)],
      [this.#inLoop ? 0.4 : 0, () => this.#line(this.#pick(['break', 'continue']))],
      [this.#strict ? 0 : 0.1, () => this.#line(`raise ValueError(${this.#expression('any', 1)})`)],
      [this.#strict ? 0 : 0.2, () => this.#line(`assert ${this.#condition()}, ${this.#expression('any', 1)}`)],
      [
        this.#hasBox ? 2 : 0,
        () =>
          this.#line(
            this.#pick([
              `box.a = ${this.#expression('record', 1)}`,
              `box.load(${this.#int()})`,
              `box.b = ${this.#expression('any', 1)}`,
            ]),
          ),
      ],
    ]
    this.#weighted(choices)()
  }

  /** Patterns look at a value and into it; guards change what it holds. */
  #match(depth: number): void {
    const kind = this.#pick(['record', 'records', 'dict', 'any'] as const)
    const subject = this.#expression(kind, 1)
    const [a, b] = [this.#fresh(), this.#fresh()]
    const cases: readonly (readonly [pattern: string, names: readonly (readonly [Kind, string])[]])[] = [
      [`{"v": ${a}, **${b}}`, [['int', a]]],
      [`{"id": int(${a})} | [${a}]`, [['any', a]]],
      [`[{"v": ${this.#below(9)}} as ${a}, *${b}]`, [['record', a]]],
      [
        `[${a}, ${b}, *_]`,
        [
          ['any', a],
          ['any', b],
        ],
      ],
      [`{"a": ${a}} | {"s": ${a}}`, [['any', a]]],
      [`None | ${this.#below(9)} | "x"`, []],
      [`dict(${a}) | list(${a})`, [['any', a]]],
    ]
    const guards = [
      '',
      '',
      ` if ${this.#condition()}`,
      ` if rs.append(${this.#read('1')})`,
      ' if ds.pop("s", None) is None',
    ]
    this.#block(`match ${this.#pick([subject, subject, `${subject}, ${this.#expression('record', 1)}`])}:`, () => {
      for (let n = 1 + this.#below(3); n > 0; n--) {
        const [pattern, names] = this.#pick(cases)
        this.#block(`case ${pattern}${this.#pick(guards)}:`, () => {
          for (const [of, name] of names) this.#declare(of, name)
          this.#statements(depth - 1)
        })
      }
      if (this.#chance(0.5)) this.#block(`case ${a}:`, () => this.#line(`print(${a})`))
    })
  }

  #weighted<T>(choices: readonly (readonly [number, T])[]): T {
    let at = this.#random.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, choice] of choices) {
      at -= weight
      if (at < 0) return choice
    }
    return choices[0]![1]
  }

  #assign(): void {
    const kind = this.#pick(['record', 'record', 'records', 'dict', 'int', 'any'] as const)
    const value = this.#expression(kind, 2)
    const old = this.#scopes[this.#scopes.length - 1]![kind]
    const name = old.length > 0 && this.#chance(0.3) ? this.#pick(old) : this.#fresh()
    if (name === 'rs' || name === 'ds') return this.#assign()
    this.#line(this.#chance(0.1) && !this.#strict ? `${name} = ${this.#fresh()} = ${value}` : `${name} = ${value}`)
    if (!old.includes(name)) this.#declare(kind, name)
  }

  #store(): void {
    const dict = this.#known('dict') ?? 'ds'
    const key = this.#pick(['"a"', '"b"', '"1x"', this.#int(), `(${this.#int()}, "k")`])
    this.#line(`${dict}[${key}] = ${this.#expression(this.#pick(['record', 'any', 'int'] as const), 1)}`)
  }

  #mutate(): void {
    const list = this.#known('records') ?? 'rs'
    const dict = this.#known('dict') ?? 'ds'
    const record = this.#expression('record', 1)
    this.#line(
      this.#pick([
        `${list}.insert(0, ${record})`,
        `${list}.extend([${record}, ${this.#read(this.#int())}])`,
        `${list}.reverse()`,
        `${dict}.update({"u": ${record}})`,
        `${dict}.setdefault("s", ${record})`,
        `${list} += [${record}]`,
        `${this.#known('int') ?? 'i0'} += ${this.#expression('int', 1)}`,
        `${record}["m"] = ${this.#expression('any', 1)}`,
        `${list}[${this.#pick(['0', '-1', '1'])}] = ${record}`,
        ...(this.#strict ? [] : [`del ${list}[5:]`, `${list}.pop()`, `${list}.sort(key=lambda r: r["v"])`]),
      ]),
    )
  }

  /** What the prelude does with containers later, or through something that holds them. */
  #indirect(): void {
    const list = this.#known('records') ?? 'rs'
    const dict = this.#known('dict') ?? 'ds'
    const [a, b] = [this.#fresh(), this.#fresh()]
    const store = this.#pick([
      `rs.append(${this.#expression('record', 1)})`,
      `ds["z"] = ${this.#expression('record', 1)}`,
    ])
    const lines = this.#pick([
      [`${a} = zip(${list}, rs)`, store, `print(list(${a}))`],
      [`${a} = zip(${list}, rs)`, `for ${b} in ${a}:`, `  if len(rs) > 12: break`, `  ${store}`, `  print(${b})`],
      [`${a} = ${dict}.values()`, store, `print(list(${a}))`],
      [`${a} = ds.items()`, store, `print(sorted([str(${b}) for ${b} in ${a}]))`],
      [`${a} = rs.append`, `${a}(${this.#expression('record', 1)})`],
      [`${a} = rs.copy`, store, `${b} = ${a}()`, `print(${b})`],
      [`${a} = functools.partial(sorted, key=lambda r: r["v"])`, `print(${a}(${list}))`],
      [`${a} = iter(rs)`, store, `print(next(${a}), next(${a}, None))`],
      [`${a} = (${b} for ${b} in rs)`, store, `print([${b}["v"] for ${b} in ${a}])`],
      [`${a} = (${this.#read(`${b}["v"]`)} for ${b} in rs)`, store, `print(list(${a})[:2])`],
      [
        `${a} = collections.deque(${list})`,
        `${a}.append(${this.#expression('record', 1)})`,
        store,
        `print(${a}[0], list(${a}))`,
      ],
      [`print(*${list})`],
      [`${a} = [*${list}, ${this.#expression('record', 1)}]`, `print(${a})`],
      [`print(functools.reduce(lambda p, q: p + q["v"], ${list}, 0))`],
      [`${a} = [${list}, ${list}]`, store, `print(${a}, ${list} == ${a}[0])`],
      [
        `${a} = [[]]`,
        `${a}[0].append(${this.#read('1')})`,
        `${b} = (${a}, 1)`,
        `${a}[0].append(${b}[0][0][0])`,
        `print(${b})`,
      ],
      [`${a} = {"k": rs}`, store, `print(json.dumps(${a}))`],
      [`${a} = lambda: rs`, `print(sorted([1, 2], key=lambda q: len(${a}())), max([1, 2], key=lambda q: rs[0]["v"]))`],
      [
        `def ${a}(*args, **kw):`,
        `  return (args, kw)`,
        `print(${a}(${this.#read('1')}, *${list}, k=${this.#expression('record', 1)}))`,
      ],
      [
        `def ${a}():`,
        `  ${b} = []`,
        `  def add(x):`,
        `    ${b}.append(x)`,
        `    return ${b}`,
        `  add(${this.#read('2')})`,
        `  return add(${this.#read('3')})`,
        `print(${a}(), ${a}()[0])`,
      ],
      [
        `${a} = ${this.#read('1')}`,
        `${a}["self"] = ${this.#read('2')}`,
        `${b} = ${a}`,
        `print(${b}["self"]["v"], ${b})`,
      ],
      [
        `for ${a} in range(3):`,
        `  ${b} = ${this.#read(a)}`,
        `  if ${a} == 1: continue`,
        `  ds[${a}] = ${b}`,
        `print(ds)`,
      ],
      [`${a} = 0`, `while ${a} < 3:`, `  rs.append(${this.#read(a)})`, `  ${a} += 1`],
      [`${a} = {}`, `${a}.setdefault("l", []).append(${this.#expression('record', 1)})`, `print(${a}["l"])`],
      [`${a} = ${this.#read('1')} if ${this.#condition()} else None`, `print(${a} is None, ${a})`],
    ])
    this.#write(lines)
  }

  /**
   * Functions that the prelude calls: callbacks, the bodies of generators and coroutines, what an executor runs. What
   * runs side by side writes to different places, because nobody says which of two such calls comes first.
   */
  #called(): void {
    const [f, x, y, z] = [this.#fresh(), this.#fresh(), this.#fresh(), this.#fresh()]
    const ids = this.#pick(['range(4)', '[2, 9, 4]', '(6, 1, 3)', '[3, 4, 5, 20]', 'range(7, 12)'])
    const list = this.#known('records') ?? 'rs'
    const isAsync = this.#chance(0.5)
    const wait = isAsync ? 'await ' : ''
    const pool = this.#pick([
      'concurrent.futures.ThreadPoolExecutor()',
      'concurrent.futures.ThreadPoolExecutor(max_workers=2)',
    ])
    const body = this.#pick([
      [`return ${wait}api.get(id=${x})`],
      [`${y} = ${wait}api.get(id=${x})`, `return ${y}`],
      [`${y} = ${wait}api.get(id=${x})`, `print("got", ${x})`, `return ${y}`],
      [`${y} = ${wait}api.get(id=${x})`, `rs.append(${y})`, `return {"id": ${y}["v"], "v": ${x}}`],
      [`${y} = [${wait}api.get(id=${z}) for ${z} in (${x}, 1)]`, `return ${y}[0]`],
      [`${y} = ${wait}api.get(id=${x})`, `${z} = ${wait}api.fetch(id=${x})`, `ds["q"] = ${z}`, `return ${y}`],
      [`${y} = ${wait}api.get(id=${x})`, `${wait}api.put(id=${x}, v=${y}["v"] + 1)`, `return ${y}`],
      [
        'try:',
        `  return ${wait}api.get(id=${x})`,
        'except ToolError as e:',
        '  print(e)',
        '  return {"id": 0, "v": 0}',
      ],
      [
        'try:',
        `  ${y} = ${wait}api.get(id=${x})`,
        `  rs.append(${y})`,
        '  print(len(rs))',
        '  return rs[-1]',
        'except ToolError as e:',
        '  raise ValueError(len(rs))',
      ],
    ])
    if (isAsync) {
      const ending = this.#pick([
        [`${z} = await asyncio.gather(*[${f}(q) for q in ${ids}])`],
        [`${z} = await asyncio.gather(*(${f}(q) for q in ${ids}), return_exceptions=True)`],
        [`${z} = [await ${f}(q) for q in ${ids}]`],
        [`${z} = await asyncio.gather(*[asyncio.to_thread(api.get, id=q) for q in ${ids}])`],
        [`${z} = await asyncio.gather(${f}(2), asyncio.to_thread(lambda: api.get(id=1)), ${f}(4))`],
        [`${z} = [await api.get(id=q) for q in ${ids}]`, `rs.extend(${z})`, `await ${f}(3)`],
        [`${z} = [asyncio.create_task(${f}(q)) for q in ${ids}]`, `${z} = [await q for q in ${z}]`],
        [`${y} = await api.get(id=1)`, `${z} = [${y}, await ${f}(2), await api.get(id=3)]`],
        [
          'try:',
          `  ${z} = [await ${f}(q) for q in ${ids}]`,
          'except Exception as e:',
          '  print(e, len(rs))',
          `  ${z} = rs`,
        ],
      ])
      this.#block(`async def ${f}(${x}):`, () => this.#write(body))
      this.#block(`async def ${x}():`, () => this.#write([...ending, `return ${z}`]))
      this.#line(`${z} = asyncio.run(${x}())`)
      this.#line(`print(${z}, rs)`)
      return
    }
    this.#block(`def ${f}(${x}):`, () => this.#write(body))
    const lines = this.#pick([
      [`${z} = list(map(${f}, ${ids}))`],
      [`${z} = list(map(lambda q: ${this.#read('q')}, ${ids}))`],
      [`${z} = [q for q in map(${f}, ${ids})]`],
      [`${z} = parallel(${f}, ${ids})`],
      [`${z} = [q.value for q in parallel(${f}, ${ids}, return_errors=True)]`],
      [`with ${pool} as ${y}:`, `  ${z} = list(${y}.map(${f}, ${ids}))`],
      [`with ${pool} as ${y}:`, `  ${z} = list(${y}.map(lambda q: ${this.#read('q')}, ${ids}))`],
      [
        `with ${pool} as ${y}:`,
        `  ${z} = [${y}.submit(${f}, q) for q in ${ids}]`,
        `  print("submitted", len(rs))`,
        `  ${z} = [q.result() for q in ${z}]`,
      ],
      [
        `with ${pool} as ${y}:`,
        `  ${z} = [${y}.submit(${f}, ${x}=q) for q in ${ids}]`,
        `  ${x} = len(rs)`,
        `  for q in concurrent.futures.as_completed(${z}):`,
        `    print(q.exception() or q.result())`,
        `${z} = ${x}`,
      ],
      [
        `def ${y}(q, k=2):`,
        `  ${z} = ${f}(q)`,
        `  api.put(id=q, v=k)`,
        `  return [${z}, k]`,
        `${z} = list(concurrent.futures.ThreadPoolExecutor(3).map(${y}, ${ids}))`,
      ],
      [`${y} = ${f}`, `${z} = [${y}(q) for q in ${ids}]`],
      [`${z} = (lambda g: [g(q) for q in ${ids}])(${f})`],
      [`${z} = sorted(${ids}, key=lambda q: ${f}(q)["v"])`],
      [`${z} = list(filter(${f}, ${ids}))`],
      [
        `def ${y}():`,
        `  for q in ${ids}:`,
        `    ${z} = ${f}(q)`,
        `    ds["y"] = ${this.#read('q')}`,
        `    yield ${z}`,
        `${z} = list(${y}())`,
      ],
      [
        `def ${y}():`,
        '  try:',
        `    for q in ${ids}:`,
        `      ds["y"] = ${this.#read('q')}`,
        `      yield ${f}(q)`,
        '  finally:',
        '    print("closed", len(rs))',
        `${z} = next(${y}())`,
      ],
      [`${z} = []`, `for q in map(${f}, ${list}[:1] and ${ids}):`, `  ${z}.append(q)`],
      [`${y} = functools.lru_cache(${f})`, `${z} = [${y}(q) for q in (1, 2, 1)]`],
      [`${y} = functools.partial(${f}, 3)`, `${z} = [${y}(), ${y}()]`],
      [
        `class ${y}:`,
        `  def one(self, q):`,
        `    return ${f}(q)`,
        `  def all(self):`,
        `    return [self.one(q) for q in ${ids}]`,
        `${z} = ${y}().all()`,
      ],
      [
        `class ${y}:`,
        `  def __init__(self, q):`,
        `    self.a = ${f}(q)`,
        `    self.b = [${this.#read('q')}]`,
        `${z} = [q.b for q in [${y}(1), ${y}(2)]]`,
      ],
      [
        `class ${y}(dict):`,
        `  def __missing__(self, q):`,
        `    self[q] = ${f}(q)`,
        `    return self[q]`,
        `${z} = ${y}()`,
        `${z} = [${z}[1], ${z}[2], ${z}[1]]`,
      ],
    ])
    this.#write(lines)
    this.#line(`print(${z}, rs)`)
  }

  #unpack(): void {
    const [a, b] = [this.#fresh(), this.#fresh()]
    const value = this.#pick([
      `${this.#expression('record', 1)}, ${this.#expression('int', 1)}`,
      `[${this.#read(this.#int())}, ${this.#expression('int', 1)}]`,
      `(${this.#expression('record', 1)}, ${this.#int()})`,
    ])
    this.#line(this.#strict || this.#chance(0.7) ? `${a}, ${b} = ${value}` : `${a}, *${this.#fresh()}, ${b} = ${value}`)
    this.#declare('record', a)
    this.#declare('int', b)
  }

  #loop(depth: number): void {
    const name = this.#fresh()
    const other = this.#fresh()
    const list = this.#expression('records', 1)
    const was = this.#inLoop
    const [head, kinds] = this.#pick<[string, readonly (readonly [Kind, string])[]]>([
      [`for ${name} in range(${1 + this.#below(4)}):`, [['int', name]]],
      [`for ${name} in ${list}:`, [['record', name]]],
      [
        `for ${name}, ${other} in enumerate(${list}):`,
        [
          ['int', name],
          ['record', other],
        ],
      ],
      [
        `for ${name}, ${other} in zip(${list}, range(4)):`,
        [
          ['record', name],
          ['int', other],
        ],
      ],
      [
        `for ${name}, ${other} in ${this.#expression('dict', 1)}.items():`,
        [
          ['any', name],
          ['any', other],
        ],
      ],
      [`for ${name} in ${this.#expression('dict', 1)}.values():`, [['any', name]]],
    ])
    // What is walked over may be appended to, so that a loop needs an end.
    this.#block(head, () => {
      this.#inLoop = true
      for (const [kind, n] of kinds) this.#declare(kind, n)
      this.#line(this.#strict ? 'pass' : 'if len(rs) > 12: break')
      this.#statements(depth - 1)
    })
    this.#inLoop = was
  }

  #branch(depth: number): void {
    this.#block(`if ${this.#condition()}:`, () => this.#statements(depth - 1))
    if (this.#chance(0.5)) this.#block('else:', () => this.#statements(depth - 1))
  }

  /** Reads that are not looked at until a handler or what follows sees how far the program came. */
  #reading(): void {
    const [a, b] = [this.#fresh(), this.#fresh()]
    const ids = this.#pick(['range(5)', '[2, 9, 4]', '(6, 1, 20, 3)', 'range(7, 13)'])
    const lines = this.#pick([
      [`for ${b} in ${ids}:`, `  rs.append(${this.#read(b)})`],
      [`for ${b} in ${ids}:`, `  ds[${b}] = ${this.#read(b)}`],
      [`${a} = []`, `for ${b} in ${ids}:`, `  i0 = ${b}`, `  ${a}.append(${this.#read(b)})`, `rs.extend(${a})`],
      [`${a} = ${this.#read(this.#int())}`, `i0 = 4`, `${b} = ${this.#read(this.#int())}`, `rs += [${b}, ${a}]`],
      [`ds["c"] = [${this.#read(b)} for ${b} in ${ids}]`, `i0 = 5`],
      [`for ${b} in ${ids}:`, `  print("at", ${b})`, `  ds["l"] = ${this.#read(b)}`],
      [`for ${b} in ${ids}:`, `  rs.append(${this.#read(b)})`, `  api.put(id=${b}, v=len(rs))`],
    ])
    this.#write(lines)
  }

  /** Loops that look at what they have just read. */
  #looking(): void {
    const [x, y, z] = [this.#fresh(), this.#fresh(), this.#fresh()]
    const list = this.#known('records') ?? 'rs'
    const [ids, id] = this.#pick([
      ['range(5)', x],
      ['[2, 9, 4]', x],
      ['(6, 1, 20, 3)', x],
      ['range(7, 13)', `${x} + 1`],
      [`${list}[:6]`, `${x}["v"]`],
      [`${list}[:4]`, `${x}["id"]`],
      ['"1234"', `int(${x})`],
    ])
    const read = this.#pick([
      `api.get(id=${id})`,
      `api.get({"id": ${id}})`,
      `api.fetch(id=${id})`,
      `(await api.get(id=${id}))`,
    ])
    const stop = 'if len(rs) > 12: break'
    this.#write(
      this.#pick([
        [`for ${x} in ${ids}:`, `  ${y} = ${read}`, `  i0 = ${y}["v"]`, `print(i0)`],
        [
          `for ${x} in ${ids}:`,
          `  ${y} = ${read}`,
          `  if ${y}["v"] > 3: continue`,
          `  ds[${y}["v"]] = api.fetch(id=${id})["v"]`,
        ],
        [`for ${x} in ${ids}:`, `  if i0 > 4: continue`, `  ds["f"] = ${read}["v"]`],
        [`for ${x} in ${ids}:`, `  ${stop}`, `  ${y} = ${read}`, `  rs.append(${y})`, `  print(${y}["v"])`],
        [`for ${x} in ${ids}:`, `  i0 = ${read}["v"]`, `  ${z} = api.get(id=i0)`, `  print(i0, ${z})`],
        [`for ${x} in ${ids}:`, `  i0 = ${read}["v"]`, `  api.put(id=i0, v=${this.#int()})`],
        [`${z} = [${read}["v"] for ${x} in ${ids}]`, `print(${z})`],
        [`${z} = [${read}["v"] for ${x} in ${ids} if i0 > 2]`, `print(${z})`],
        [`for ${x} in ${ids}:`, '  try:', `    i0 = ${read}["v"]`, '  except ToolError as e:', '    print(e)'],
        [
          `for ${x} in ${ids}:`,
          '  try:',
          `    ${y} = ${read}`,
          `    rs.append({"id": ${y}["id"], "v": ${y}["v"]})`,
          '  except ToolError as e:',
          '    continue',
          '  print(len(rs), e if i0 > 20 else None)',
        ],
        [
          `${z} = [1, 2, 3]`,
          `for ${x} in ${z}:`,
          `  if ${x} < 5: ${z}.append(${x} + 3)`,
          `  i0 = api.get(id=${x})["v"]`,
        ],
      ]),
    )
  }

  /** The calls of a loop, each of which may fail by itself. */
  #tryEach(): void {
    const [a, b, c] = [this.#fresh(), this.#fresh(), this.#fresh()]
    const ids = this.#pick(['range(6)', '[2, 9, 4, 9, 20]', 'range(7, 13)'])
    const failed = this.#pick([`i0 = ${b}`, 'pass', `ds[${b}] = str(${c})`, `rs.append({"id": 0, "v": ${b}})`, 'raise'])
    const lines = this.#pick([
      [
        `for ${b} in ${ids}:`,
        '  try:',
        `    rs.append(${this.#read(b)})`,
        `  except ToolError as ${c}:`,
        `    ${failed}`,
      ],
      [
        `def ${a}(${b}):`,
        '  try:',
        `    return ${this.#read(b)}`,
        `  except ToolError as ${c}:`,
        `    ${this.#pick(['return {"id": 0, "v": 0}', failed, `return ${this.#read('3')}`])}`,
        `rs += [${a}(q) for q in ${ids}]`,
      ],
      [
        `for ${b} in ${ids}:`,
        `  for ${a} in range(2):`,
        '    try:',
        `      ds[${b}] = ${this.#read(b)}`,
        '      break',
        `    except ToolError as ${c}:`,
        `      ${failed}`,
      ],
    ])
    this.#write(lines)
    if (this.#chance(0.5)) this.#line(`print(rs, ds, i0)`)
  }

  #try(depth: number): void {
    if (!this.#isGenerator && !this.#inFunction && this.#chance(0.3)) return this.#tryEach()
    this.#block('try:', () => {
      if (!this.#inFunction && this.#chance(0.5)) this.#reading()
      this.#statements(depth - 1)
      if (!this.#inFunction && this.#chance(0.3)) this.#reading()
      if (this.#chance(0.3)) this.#looking()
    })
    if (this.#chance(0.85)) {
      this.#block(
        this.#pick(['except Exception as e:', 'except ToolError as e:', 'except (KeyError, ValueError) as e:']),
        () => {
          this.#line(this.#pick(['print("caught", e)', 'print("caught", e, len(rs), i0)', 'print(e, rs, ds)', 'pass']))
          this.#statements(depth - 2)
        },
      )
      if (this.#chance(0.2)) this.#block('else:', () => this.#statements(depth - 2))
      if (this.#chance(0.2)) this.#block('finally:', () => this.#statements(depth - 2))
    } else this.#block('finally:', () => this.#statements(depth - 2))
  }

  // ---- expressions ---------------------------------------------------------------------------------------------

  #int(): string {
    return this.#chance(0.3) ? (this.#known('int') ?? '3') : String(this.#below(this.#chance(0.95) ? 9 : 12))
  }

  #read(id: string): string {
    return this.#weighted<() => string>([
      [6, () => `api.get(id=${id})`],
      [1, () => `api.get({"id": ${id}})`],
      [2, () => `api.fetch(id=${id})`],
      [this.#strict ? 0 : 1, () => `(await api.get(id=${id}))`],
      [this.#strict ? 0 : 0.3, () => `api.fetch.safe(id=${id})`],
      [0.2, () => `api.get(id=api.fetch(id=${id})["v"])`],
    ])()
  }

  #call(kind: Kind, depth: number): string | undefined {
    const all = this.#functions.filter((f) => f.returns === kind)
    if (all.length === 0) return undefined
    const f = this.#pick(all)
    return `${f.name}(${f.parameters.map((p) => this.#expression(p, depth - 1)).join(', ')})`
  }

  #expression(kind: Kind, depth: number): string {
    const known = this.#known(kind)
    if (known !== undefined && (depth <= 0 || this.#chance(0.3))) return known
    const called = depth > 0 && this.#chance(0.25) ? this.#call(kind, depth) : undefined
    if (called !== undefined) return called
    const x = (k: Kind): string => this.#expression(k, depth - 1)
    const flat = depth <= 0
    const n = this.#fresh()
    const fancy = flat || this.#strict ? 0 : 1
    switch (kind) {
      case 'int':
        return this.#weighted<() => string>([
          [2, () => this.#int()],
          [flat ? 0 : 3, () => `${x('record')}["v"]`],
          [flat ? 0 : 1, () => `len(${x('records')})`],
          [flat ? 0 : 1, () => `(${x('int')} + ${x('int')})`],
          [fancy, () => `sum(${n}["v"] for ${n} in ${x('records')})`],
          [fancy, () => `(${n} := ${x('int')})`],
          [fancy, () => `max([${n}["v"] for ${n} in ${x('records')}] + [0])`],
        ])()
      case 'record':
        return this.#weighted<() => string>([
          [5, () => this.#read(flat ? this.#int() : x('int'))],
          [flat ? 0 : 1, () => `${x('records')}[${this.#pick(['0', '0', '-1', '1'])}]`],
          [flat ? 0 : 1, () => `(${x('record')} if ${this.#condition()} else ${x('record')})`],
          [flat ? 0 : 1, () => `(${x('record')} or ${x('record')})`],
          [flat ? 0 : 1, () => `${x('dict')}.get("a", ${x('record')})`],
          [1, () => `{"id": 0, "v": ${this.#below(9)}, "inner": ${flat ? '[]' : x('any')}}`],
          [fancy, () => `(lambda ${n}: ${this.#read(n)})(${x('int')})`],
          [fancy * 0.5, () => `copy.deepcopy(${x('record')})`],
          [flat ? 0 : 0.5, () => `dict(${x('record')})`],
        ])()
      case 'records':
        return this.#weighted<() => string>([
          [4, () => `[${this.#read(n)} for ${n} in range(${1 + this.#below(4)})]`],
          [flat ? 0 : 1, () => `[${this.#read(`${n}["v"]`)} for ${n} in ${x('records')} if ${n}["id"] != 2]`],
          [
            2,
            () =>
              `[${Array.from({ length: this.#below(3) }, () => (flat ? this.#read('1') : x('record'))).join(', ')}]`,
          ],
          [flat ? 0 : 1, () => `${x('records')}[:2]`],
          [flat ? 0 : 1, () => `(${x('records')} + ${x('records')})`],
          [flat ? 0 : 1, () => `list(${x('records')})`],
          [flat ? 0 : 1, () => `sorted(${x('records')}, key=lambda ${n}: ${n}["v"])`],
          [flat ? 0 : 0.5, () => `list(reversed(${x('records')}))`],
          [fancy, () => `list(map(lambda ${n}: ${this.#read(n)}, range(2)))`],
          [fancy, () => `[${n} for ${n} in ${x('records')} if ${n}]`],
          [fancy * 0.5, () => `list(filter(lambda ${n}: ${n}["v"] > 2, ${x('records')}))`],
        ])()
      case 'dict':
        return this.#weighted<() => string>([
          [2, () => `{"a": ${flat ? this.#read('4') : x('record')}, "b": ${flat ? '1' : x('any')}}`],
          [2, () => `{${n}: ${this.#read(n)} for ${n} in range(${1 + this.#below(3)})}`],
          [flat ? 0 : 1, () => `dict(${x('dict')})`],
          [fancy * 0.5, () => `{**${x('dict')}, "x": ${x('record')}}`],
          [flat ? 0 : 0.5, () => `{(${x('int')}, 1): ${x('record')}}`],
        ])()
      case 'any':
        return this.#weighted<() => string>([
          [3, () => x(this.#pick(['record', 'records', 'dict', 'int'] as const))],
          [1, () => `(${flat ? '1' : x('record')}, ${this.#read('5')})`],
          [1, () => `str(${flat ? '1' : x('any')})`],
          [flat ? 0 : 1, () => this.#condition()],
          [1, () => 'None'],
          [fancy, () => `f"<{${x('record')}}>"`],
          [fancy, () => `json.dumps(${x('records')})`],
          [flat ? 0 : 0.5, () => `repr(${x('any')})`],
          [flat ? 0 : 0.5, () => `"%s" % (${x('any')},)`],
          [
            this.#hasBox && !flat ? 1 : 0,
            () => this.#pick(['box.a', 'box', `box.load(${this.#below(9)})`, '[box, box.a]', 'box["v"]']),
          ],
        ])()
    }
  }

  #condition(): string {
    const record = this.#expression('record', 0)
    return this.#pick([
      `${record}["v"] > ${this.#below(9)}`,
      `${this.#expression('records', 0)}`,
      `${record} == ${this.#expression('record', 0)}`,
      `${record} in ${this.#expression('records', 0)}`,
      `not ${record}`,
      `"a" in ${this.#expression('dict', 0)}`,
      `len(${this.#expression('records', 0)}) > 1 and ${record}["v"] != 3`,
      ...(this.#strict
        ? []
        : [`${record} is None`, `isinstance(${record}, dict)`, `any(${record}["v"] > 4 for q in range(2))`]),
    ])
  }

  #printed(): string {
    return Array.from({ length: 1 + this.#below(2) }, () =>
      this.#expression(this.#pick(['int', 'record', 'records', 'any', 'dict'] as const), 1),
    ).join(', ')
  }
}
