// QuickJS by its C functions. One `Engine` is one WebAssembly instance with one runtime and one context in a linear
// memory that is ours.
//
// The library's comfortable layer keeps JavaScript objects for guest values. If a guest's memory is restored, such
// objects would dangle, so this file works on addresses only, and the whole state of a guest is in its linear memory
// and in one global, the stack pointer. Some things are taken from the emscripten module beneath its documented
// surface, and all of them are checked before a guest is made, because they belong to one build: the names of the stack
// pointer's exports, the imports that grow memory and read the clock, two words of its runtime and its context, and the
// layout of a string in memory. Texts cross as bytes in the form QuickJS keeps them: Latin-1, or UTF-16 where a unit
// needs it. This is faster than UTF-8 both ways and keeps unpaired surrogates and zeros.
//
// Invariant: hooks may throw, and the exception passes through the running guest and out of the call that entered it.
// No guest code can catch it or runs after it. The memory is then in the middle of something and must be restored.

import { loadLibrary, type QuickJsModule } from './quickjs-library.js'
import { suspendable, suspending } from './suspension.js'
import { readText, type Text } from './text.js'

/**
 * The callbacks of an engine while guest code runs. All may throw. A promise suspends the guest; only an engine that
 * was started for that accepts one.
 */
interface EngineHooks {
  /**
   * A host function was called; `value` is the address of its first argument. Returns the address of a new value, or 0
   * for undefined.
   */
  call(host: number, value: number): number | Promise<number>
  /** Called at intervals while bytecode runs. True: the engine leaves the program with an error that it can't catch. */
  interrupt(): boolean | Promise<boolean>
  /** Called before linear memory grows to this size. Returns the allowed maximum. */
  grow(bytes: number): number
}

/** The parts of QuickJS that a context has. Everything else is always omitted. */
interface Intrinsics {
  readonly date: boolean
}

/** The addresses that make up a living context. They are part of a snapshot. */
interface ContextAddresses {
  readonly runtime: number
  readonly context: number
}

/** An address of a JSValue, owned by its receiver. */
export type ValueAddress = number

const TAG_STRING = -7
const TAG_STRING_ROPE = -6
const TAG_OBJECT = -1
const TAG_INT = 0
const TAG_UNDEFINED = 3
const FUNCTION = 'function'
const STRING_HEADER_BYTES = 16
const WIDE_BIT = 0x8000_0000

// Of the library's IntrinsicsFlags: BaseObjects, Eval (the evaluator itself, its global functions are removed later),
// StringNormalize, RegExp, RegExpCompiler, JSON, Proxy, MapSet, TypedArrays, Promise, BigInt.
const INTRINSICS = 1 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512 | 1024 | 2048
const INTRINSIC_DATE = 2
/**
 * The word of the runtime with the threshold for collecting cyclic garbage. QuickJS compares it with eight times the
 * number of allocations, whatever their size, so a few large ones that hold each other could fill the memory unnoticed.
 * A collection sets it to one and a half times what is left.
 */
const THRESHOLD_WORD = 27
const FIRST_THRESHOLD = 256 * 1024
/**
 * The threshold with which a run begins: half a million allocations. Each collection visits everything that is alive,
 * the image included, and most programs leave no cycles behind.
 */
const RUN_THRESHOLD = 4 * 1024 * 1024
/** The word of the context that counts down to the next call of the hook `interrupt`. */
const COUNTER_WORD = 58
/** The byte of the runtime that says what QuickJS leaves out of the functions that it compiles: 1 for their texts. */
const STRIP_BYTE = 228

/**
 * QuickJS's C code needs up to 27 times as much native stack as QuickJS counts (deeply nested source text is the
 * worst). The memory is reserved, and used only by a run that goes that deep.
 */
export const NATIVE_STACK_FACTOR = 32

export class Engine {
  readonly memory: WebAssembly.Memory
  /** The stack pointer of an engine at rest; the stack grows down from it and the heap up. */
  readonly stackTop: number
  readonly #module: QuickJsModule
  readonly #exports: StackExports
  readonly #entries: Entries
  #maxStackBytes = 0
  #bytes: Uint8Array
  #words: Uint32Array
  #runtime = 0
  #context = 0

  private constructor(memory: WebAssembly.Memory, module: QuickJsModule, exports: StackExports, canSuspend: boolean) {
    this.memory = memory
    this.#module = module
    this.#exports = exports
    this.#bytes = new Uint8Array(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
    this.stackTop = exports.get()
    const { _QTS_Eval, _QTS_Call, _QTS_ExecutePendingJob } = module
    const entry = (plain: (...args: number[]) => number): Entry =>
      canSuspend ? suspendable(plain, () => this.#maxStackBytes * NATIVE_STACK_FACTOR) : plain
    this.#entries = { evaluate: entry(_QTS_Eval), call: entry(_QTS_Call), runJobs: entry(_QTS_ExecutePendingJob) }
  }

  /** Instantiates QuickJS over `memory`, without a context. `canSuspend`: hooks may return promises. */
  static async start(
    compiled: WebAssembly.Module,
    memory: WebAssembly.Memory,
    hooks: EngineHooks,
    canSuspend = false,
  ): Promise<Engine> {
    let exports: WebAssembly.Exports = {}
    const silent = (): void => undefined
    const module = await loadLibrary({
      wasmMemory: memory,
      thisProgram: 'guest',
      print: silent,
      printErr: silent,
      instantiateWasm(
        imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance) => void,
      ): WebAssembly.Exports {
        takeAmbientAuthority(imports, memory, hooks)
        if (canSuspend) makeSuspending(imports)
        const instance = new WebAssembly.Instance(compiled, imports)
        exports = instance.exports
        done(instance)
        return exports
      },
    })
    module.callbacks = {
      callFunction: (_, _context, _self, count, values, host) => hooks.call(host, count > 0 ? values : 0) as number,
      shouldInterrupt: () => {
        const ends = hooks.interrupt()
        return (typeof ends === 'boolean' ? Number(ends) : ends.then(Number)) as number
      },
      // Host functions are never freed: every state of the memory has the same few.
      freeHostRef: silent,
      loadModuleSource: () => 0,
      normalizeModule: () => 0,
    }
    return new Engine(memory, module, stackExports(exports), canSuspend)
  }

  /** Creates the runtime and its context. */
  createContext(intrinsics: Intrinsics): ContextAddresses {
    this.#runtime = this.#module._QTS_NewRuntime()
    this.#module._QTS_RuntimeEnableInterruptHandler(this.#runtime)
    const flags = INTRINSICS | (intrinsics.date ? INTRINSIC_DATE : 0)
    this.#context = this.#module._QTS_NewContext(this.#runtime, flags)
    this.#checkStrings()
    this.#checkThreshold()
    return { runtime: this.#runtime, context: this.#context }
  }

  /** Uses the context that the memory holds already. */
  adoptContext(addresses: ContextAddresses): void {
    this.#runtime = addresses.runtime
    this.#context = addresses.context
  }

  setMaxStackBytes(bytes: number): void {
    this.#maxStackBytes = bytes
    this.#module._QTS_RuntimeSetMaxStackSize(this.#runtime, bytes)
  }

  /** Makes the guest collect cyclic garbage at its next allocation. */
  collectSoon(): void {
    this.words[(this.#runtime >>> 2) + THRESHOLD_WORD] = 0
  }

  /** Puts the first collection off until a program has made many values. */
  collectLater(): void {
    this.words[(this.#runtime >>> 2) + THRESHOLD_WORD] = RUN_THRESHOLD
  }

  /** Collects as often as QuickJS does by itself. */
  collectOften(): void {
    this.words[(this.#runtime >>> 2) + THRESHOLD_WORD] = FIRST_THRESHOLD
  }

  /** Makes the engine call the hook `interrupt` at the next function call or loop iteration. */
  askSoon(): void {
    this.words[(this.#context >>> 2) + COUNTER_WORD] = 0
  }

  /** Functions that are compiled from now on keep no source text, which would repeat that of the functions inside. */
  async leaveTextsOut(): Promise<void> {
    this.bytes[this.#runtime + STRIP_BYTE] = 1
    const text = await this.evaluate('(() => 12345) + ""', 'check.js')
    if (readText(this.textOf(text)).includes('12345'))
      throw new Error(`${UNKNOWN_BUILD}: it keeps the texts of functions`)
    this.free(text)
  }

  /** Functions that are compiled from now on keep their source text again. */
  keepTexts(): void {
    this.bytes[this.#runtime + STRIP_BYTE] = 0
  }

  /** Tests that `askSoon` works. `asked` returns the number of calls of the hook. Throws if it does not work. */
  async checkCounter(asked: () => number): Promise<void> {
    await this.evaluate('for (let i = 0; i < 3; i++);', 'check.js')
    const before = asked()
    await this.evaluate('for (let i = 0; i < 3; i++);', 'check.js')
    const between = asked()
    this.askSoon()
    await this.evaluate('for (let i = 0; i < 3; i++);', 'check.js')
    if (between !== before || asked() !== between + 1) throw new Error(`${UNKNOWN_BUILD}: it counts elsewhere`)
  }

  /** Tests that strings up to this length are flat, however they were made. */
  async checkFlat(length: number): Promise<void> {
    const joined = (first: number): string => `'x'.repeat(${first}) + 'y'.repeat(${length - first})`
    for (const first of [0, 1, length >> 1, length - 1, length]) {
      const text = await this.evaluate(`{ let s = ${joined(first)}; s += ''; '' + s + '' }`, 'check.js')
      if (this.#tag(text) !== TAG_STRING) throw new Error(`${UNKNOWN_BUILD}: it joins short strings lazily`)
      this.free(text)
    }
  }

  /** Evaluates a script. The result is its completion value or an exception; see `exceptionOf`. */
  async evaluate(source: string, fileName: string): Promise<ValueAddress> {
    const size = utf8Size(source)
    const address = this.#newCString(source, size)
    const name = this.#newCString(fileName, fileName.length)
    const result = await this.#entries.evaluate(this.#context, address, size, name, 0, 0)
    this.#module._free(name)
    this.#module._free(address)
    return result
  }

  /** The exception that an evaluation or a call ended with, or 0. */
  exceptionOf(result: ValueAddress): ValueAddress {
    return this.#module._QTS_ResolveException(this.#context, result)
  }

  /** True when the value can be called. */
  isFunction(value: ValueAddress): boolean {
    if (this.#tag(value) !== TAG_OBJECT) return false
    const address = this.#module._QTS_Typeof(this.#context, value)
    this.#refresh()
    const name = Buffer.from(this.#bytes.buffer, address, FUNCTION.length).toString('latin1')
    this.#module._free(address)
    return name === FUNCTION
  }

  isUndefined(value: ValueAddress): boolean {
    return this.#tag(value) === TAG_UNDEFINED
  }

  /** Calls a guest function with one argument or none. */
  async call(f: ValueAddress, self: ValueAddress, argument?: ValueAddress): Promise<ValueAddress> {
    const list = this.allocate(4)
    this.#refresh()
    this.#words[list >>> 2] = argument ?? 0
    const count = argument === undefined ? 0 : 1
    const result = await this.#entries.call(this.#context, f, self, count, list)
    this.#module._free(list)
    return result
  }

  /** Runs pending jobs until none is left. Returns the exception of a failed job, or 0. */
  async runJobs(): Promise<ValueAddress> {
    if (this.#module._QTS_IsJobPending(this.#runtime) === 0) return 0
    const slot = this.allocate(4)
    const result = await this.#entries.runJobs(this.#runtime, -1, slot)
    this.#module._free(slot)
    return this.exceptionOf(result)
  }

  /** The state of a promise; undefined if the value is not one. */
  settled(
    value: ValueAddress,
  ): { readonly state: 'pending' | 'fulfilled' | 'rejected'; readonly value: ValueAddress } | undefined {
    const state = this.#module._QTS_PromiseState(this.#context, value) as number
    if (state < 0) return undefined
    const settledValue = state === 0 ? 0 : this.#module._QTS_PromiseResult(this.#context, value)
    return { state: state === 0 ? 'pending' : state === 1 ? 'fulfilled' : 'rejected', value: settledValue }
  }

  globalObject(): ValueAddress {
    return this.#module._QTS_GetGlobalObject(this.#context)
  }

  undefinedValue(): ValueAddress {
    return this.#module._QTS_GetUndefined()
  }

  property(object: ValueAddress, name: string): ValueAddress {
    const key = this.newText(asLatin1(name))
    const value = this.#module._QTS_GetProp(this.#context, object, key)
    this.free(key)
    return value
  }

  setProperty(object: ValueAddress, name: string, value: ValueAddress): void {
    const key = this.newText(asLatin1(name))
    this.#module._QTS_SetProp(this.#context, object, key, value)
    this.free(key)
  }

  /** A guest function that calls the hook with this number. */
  newHostFunction(name: string, length: number, host: number): ValueAddress {
    const address = this.#newCString(name, name.length)
    const value = this.#module._QTS_NewFunction(this.#context, address, length, 0, host)
    this.#module._free(address)
    return value
  }

  free(value: ValueAddress): void {
    this.#module._QTS_FreeValuePointer(this.#context, value)
  }

  /** The int. Throws if the value is something else. */
  intOf(value: ValueAddress): number {
    if (value === 0 || this.#tag(value) !== TAG_INT) throw new Error('a host function was called without an int')
    return this.#words[value >>> 2]! | 0
  }

  isString(value: ValueAddress): boolean {
    const tag = this.#tag(value)
    return tag === TAG_STRING || tag === TAG_STRING_ROPE
  }

  isRope(value: ValueAddress): boolean {
    return this.#tag(value) === TAG_STRING_ROPE
  }

  /** The text of the argument of a host function. Throws if it is no flat string. */
  flatText(value: ValueAddress): Text {
    if (value === 0 || this.#tag(value) !== TAG_STRING)
      throw new Error('a host function was called with something else than a flat string')
    return this.textOf(value)
  }

  /** The text of a flat string: a view of linear memory, valid until guest code runs or memory grows. */
  textOf(value: ValueAddress): Text {
    this.#refresh()
    const at = this.#words[value >>> 2]!
    const head = this.#words[(at >>> 2) + 1]!
    const wide = (head & WIDE_BIT) !== 0
    const units = head & ~WIDE_BIT
    const start = at + STRING_HEADER_BYTES
    return { wide, bytes: this.#bytes.subarray(start, start + (wide ? units * 2 : units)) }
  }

  /**
   * A new guest string. A placeholder of the right length and width is made first and then written over, which spares
   * QuickJS the decoding. `text` must be Latin-1 whenever it can be: QuickJS takes strings of different width for
   * different property names.
   */
  newText(text: Text): ValueAddress {
    const length = text.bytes.length
    const scratch = this.allocate(length + 1)
    this.#refresh()
    // 0xC4 0x80 is UTF-8 for U+0100, the smallest unit that needs two bytes: as long in UTF-8 as in UTF-16.
    if (text.wide) new Uint16Array(this.memory.buffer, scratch, length >>> 1).fill(0x80c4)
    else this.#bytes.fill(0x61, scratch, scratch + length)
    this.#bytes[scratch + length] = 0
    const value = this.#module._QTS_NewString(this.#context, scratch)
    this.#module._free(scratch)
    if (length > 0) this.textOf(value).bytes.set(text.bytes)
    return value
  }

  allocate(bytes: number): number {
    // Eight-byte alignment comes from the allocator; a null address can't be: growth beyond the limit throws in the
    // hook.
    return this.#module._malloc(bytes)
  }

  release(address: number): void {
    this.#module._free(address)
  }

  get bytes(): Uint8Array {
    this.#refresh()
    return this.#bytes
  }

  get words(): Uint32Array {
    this.#refresh()
    return this.#words
  }

  /** Discards the running code. Only for restored memory. */
  resetStack(): void {
    this.#exports.set(this.stackTop)
  }

  #tag(value: ValueAddress): number {
    this.#refresh()
    return this.#words[(value >>> 2) + 1]! | 0
  }

  #refresh(): void {
    if (this.#bytes.buffer === this.memory.buffer) return
    this.#bytes = new Uint8Array(this.memory.buffer)
    this.#words = new Uint32Array(this.memory.buffer)
  }

  /** A C string in the engine's memory; `size` is its length in UTF-8. */
  #newCString(source: string, size: number): number {
    const address = this.allocate(size + 1)
    this.#refresh()
    if (wellFormed(source)) encoder.encodeInto(source, this.#bytes.subarray(address, address + size))
    else this.#module.stringToUTF8(source, address, size + 1)
    this.#bytes[address + size] = 0
    return address
  }

  #checkThreshold(): void {
    if (this.words[(this.#runtime >>> 2) + THRESHOLD_WORD] !== FIRST_THRESHOLD)
      throw new Error(`${UNKNOWN_BUILD}: its collector is elsewhere`)
  }

  #checkStrings(): void {
    for (const text of [asLatin1('a\0\xff'), { wide: true, bytes: Uint8Array.of(0, 1, 0, 0, 0, 0xd8) }]) {
      const value = this.newText(text)
      const seen = this.textOf(value)
      const right =
        this.#tag(value) === TAG_STRING && seen.wide === text.wide && Buffer.compare(seen.bytes, text.bytes) === 0
      if (!right) throw new Error(`${UNKNOWN_BUILD}: strings have another layout`)
      this.free(value)
    }
  }
}

/** The entry to guest code. */
interface Entries {
  readonly evaluate: Entry
  readonly call: Entry
  readonly runJobs: Entry
}
type Entry = (...args: number[]) => number | Promise<number>

const UNKNOWN_BUILD = 'the installed build of QuickJS is not the one that starbind knows'
const encoder = new TextEncoder()

interface StackExports {
  get(): number
  set(address: number): void
}

/** The exports that read and set the stack pointer; names are those of the pinned build. */
function stackExports(exports: WebAssembly.Exports): StackExports {
  const [get, set] = [exports.Oa, exports.Ma]
  if (typeof get !== 'function' || typeof set !== 'function') throw new Error(`${UNKNOWN_BUILD}: no stack pointer`)
  const top = get() as number
  set(top - 16)
  const moved = get() === top - 16
  set(top)
  if (!moved || get() !== top) throw new Error(`${UNKNOWN_BUILD}: the stack pointer is elsewhere`)
  return { get: get as () => number, set: set as (address: number) => void }
}

/** The only import whose text has this mark. Import names are minified, so each is found by its text. */
function onlyImport(space: Record<string, unknown>, what: string, mark: string): [string, Import] {
  const found = Object.entries(space).filter(([, value]) => typeof value === 'function' && String(value).includes(mark))
  if (found.length !== 1) throw new Error(`${UNKNOWN_BUILD}: ${found.length} imports ${what}`)
  return found[0] as [string, Import]
}
type Import = (...args: number[]) => unknown

/** Lets the imports that ask the owner suspend the guest. */
function makeSuspending(imports: WebAssembly.Imports): void {
  const space = Object.values(imports)[0] as Record<string, unknown>
  for (const [what, mark] of [
    ['call the host', 'callbacks.callFunction('],
    ['ask whether to go on', 'callbacks.shouldInterrupt('],
  ] as const) {
    const [name, plain] = onlyImport(space, what, mark)
    space[name] = suspending(plain)
  }
}

/**
 * Replaces the imports that reach outside: growth asks the owner, the clock stands still, the time zone is UTC, and
 * there are no timers and no exit.
 */
function takeAmbientAuthority(imports: WebAssembly.Imports, memory: WebAssembly.Memory, hooks: EngineHooks): void {
  const space = Object.values(imports)[0] as Record<string, unknown>
  const only = (what: string, mark: string): [string, Import] => onlyImport(space, what, mark)
  const [growName, grow] = only('grow memory', '.grow(') as [string, (bytes: number) => boolean]
  const [clockName] = only('read the clock', 'Date.now()')
  const [localName] = only('convert to local time', 'getSeconds()')
  const [zoneName] = only('read the time zone', 'padStart(')
  const [timerName] = only('set a timer', 'setTimeout(')
  const [exitName] = only('end the process', 'onExit')
  // The original requests a fifth more than it needs; the replaced `memory.grow` enforces the limit.
  let maxBytes = 0
  const plainGrow = memory.grow.bind(memory)
  memory.grow = (pages) =>
    plainGrow(Math.max(0, Math.min(pages, Math.floor((maxBytes - memory.buffer.byteLength) / 65536))))
  space[growName] = (bytes: number): boolean => {
    maxBytes = hooks.grow(bytes >>> 0)
    if (grow(bytes) && memory.buffer.byteLength >= bytes >>> 0) return true
    throw new Error('the machine has no memory for the guest')
  }
  space[clockName] = () => 0
  space[timerName] = () => 0
  space[exitName] = () => {
    throw new Error('the guest asked for its process to end')
  }
  space[localName] = (seconds: bigint, address: number) =>
    writeUtcTime(new Int32Array(memory.buffer, address, 10), Number(seconds))
  space[zoneName] = (offset: number, daylight: number, standardName: number, daylightName: number) => {
    const words = new Int32Array(memory.buffer)
    words[offset >>> 2] = 0
    words[daylight >>> 2] = 0
    for (const name of [standardName, daylightName]) new Uint8Array(memory.buffer).set([0x55, 0x54, 0x43, 0], name)
  }
}

/** C's `struct tm`. */
function writeUtcTime(tm: Int32Array, seconds: number): void {
  const at = new Date(seconds * 1000)
  const yearDay = Math.floor(
    (Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - Date.UTC(at.getUTCFullYear(), 0, 1)) /
      86_400_000,
  )
  tm.set([
    at.getUTCSeconds(),
    at.getUTCMinutes(),
    at.getUTCHours(),
    at.getUTCDate(),
    at.getUTCMonth(),
    at.getUTCFullYear() - 1900,
    at.getUTCDay(),
    yearDay,
    0,
    0,
  ])
}

function asLatin1(text: string): Text {
  return { wide: false, bytes: Buffer.from(text, 'latin1') }
}

/** Bytes of the text in UTF-8; an unpaired surrogate takes three, as any unit of its size. */
function utf8Size(text: string): number {
  return Buffer.byteLength(text)
}

/** True when every surrogate has its partner. */
function wellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}
