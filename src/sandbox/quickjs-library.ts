// The part of the QuickJS library that this room uses, with types of its own: the synchronous release variant, its emscripten module and its
// C functions. All values are addresses in linear memory, or C numbers.

import releaseSync from '@jitl/quickjs-wasmfile-release-sync'

export interface ModuleOptions {
  readonly wasmMemory: WebAssembly.Memory
  readonly thisProgram: string
  readonly print: () => void
  readonly printErr: () => void
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports
}

export interface QuickJsModule {
  callbacks: ModuleCallbacks
  /** The C functions through which guest code is entered, as the engine exports them. */
  readonly _QTS_Eval: (...args: number[]) => number
  readonly _QTS_Call: (...args: number[]) => number
  readonly _QTS_ExecutePendingJob: (...args: number[]) => number
  _malloc(bytes: number): number
  _free(address: number): void
  stringToUTF8(text: string, address: number, maxBytes: number): void
  lengthBytesUTF8(text: string): number
}

/** What QuickJS calls. The first parameter belongs to asynchronous variants and is undefined here. */
export interface ModuleCallbacks {
  callFunction(_: undefined, context: number, self: number, count: number, values: number, host: number): number
  shouldInterrupt(_: undefined, runtime: number): number
  freeHostRef(_: undefined, runtime: number, host: number): void
  loadModuleSource(): number
  normalizeModule(): number
}

/** QuickJS's C functions as the library exports them. */
export interface QuickJsFunctions {
  QTS_NewRuntime(): number
  QTS_RuntimeEnableInterruptHandler(runtime: number): void
  QTS_RuntimeSetMaxStackSize(runtime: number, bytes: number): void
  QTS_NewContext(runtime: number, intrinsics: number): number
  QTS_ResolveException(context: number, value: number): number
  QTS_IsJobPending(runtime: number): number
  QTS_Typeof(context: number, value: number): number
  QTS_PromiseState(context: number, value: number): number
  QTS_PromiseResult(context: number, value: number): number
  QTS_GetGlobalObject(context: number): number
  QTS_GetUndefined(): number
  QTS_GetProp(context: number, object: number, key: number): number
  QTS_SetProp(context: number, object: number, key: number, value: number): void
  QTS_NewFunction(context: number, name: string, length: number, constructs: boolean, host: number): number
  QTS_NewString(context: number, utf8: number): number
  QTS_FreeValuePointer(context: number, value: number): void
}

interface Variant {
  importModuleLoader(): Promise<(options: ModuleOptions) => Promise<QuickJsModule>>
  importFFI(): Promise<new (module: QuickJsModule) => QuickJsFunctions>
}

// The package's types describe its CommonJS form, in which the variant is one level deeper.
const variant = releaseSync as unknown as Variant

export async function loadLibrary(
  options: ModuleOptions,
): Promise<{ module: QuickJsModule; functions: QuickJsFunctions }> {
  const [load, Functions] = await Promise.all([variant.importModuleLoader(), variant.importFFI()])
  const module = await load(options)
  return { module, functions: new Functions(module) }
}
