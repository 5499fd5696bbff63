// The used part of the QuickJS library, typed: the synchronous release variant, its emscripten module and its C
// functions. Values are addresses in linear memory, or C numbers.

import releaseSync from '@jitl/quickjs-wasmfile-release-sync'

interface ModuleOptions {
  readonly wasmMemory: WebAssembly.Memory
  readonly thisProgram: string
  readonly print: () => void
  readonly printErr: () => void
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports
}

export interface QuickJsModule extends QuickJsFunctions {
  callbacks: ModuleCallbacks
  _malloc(bytes: number): number
  _free(address: number): void
  stringToUTF8(text: string, address: number, maxBytes: number): void
}

/** The function that QuickJS calls. The first parameter belongs to asynchronous variants and is undefined here. */
interface ModuleCallbacks {
  callFunction(_: undefined, context: number, self: number, count: number, values: number, host: number): number
  shouldInterrupt(_: undefined, runtime: number): number
  freeHostRef(_: undefined, runtime: number, host: number): void
  loadModuleSource(): number
  normalizeModule(): number
}

/**
 * QuickJS's C functions as the engine exports them: all parameters and results are C numbers. The first three enter
 * guest code.
 */
interface QuickJsFunctions {
  readonly _QTS_Eval: (...args: number[]) => number
  readonly _QTS_Call: (...args: number[]) => number
  readonly _QTS_ExecutePendingJob: (...args: number[]) => number
  _QTS_NewRuntime(): number
  _QTS_RuntimeEnableInterruptHandler(runtime: number): void
  _QTS_RuntimeSetMaxStackSize(runtime: number, bytes: number): void
  _QTS_NewContext(runtime: number, intrinsics: number): number
  _QTS_ResolveException(context: number, value: number): number
  _QTS_IsJobPending(runtime: number): number
  _QTS_Typeof(context: number, value: number): number
  _QTS_PromiseState(context: number, value: number): number
  _QTS_PromiseResult(context: number, value: number): number
  _QTS_GetGlobalObject(context: number): number
  _QTS_GetUndefined(): number
  _QTS_GetProp(context: number, object: number, key: number): number
  _QTS_SetProp(context: number, object: number, key: number, value: number): void
  _QTS_NewFunction(context: number, name: number, length: number, constructs: number, host: number): number
  _QTS_NewString(context: number, utf8: number): number
  _QTS_FreeValuePointer(context: number, value: number): void
}

interface Variant {
  importModuleLoader(): Promise<(options: ModuleOptions) => Promise<QuickJsModule>>
}

// The package's types describe its CommonJS form, in which the variant is one level deeper.
const variant = releaseSync as unknown as Variant

export async function loadLibrary(options: ModuleOptions): Promise<QuickJsModule> {
  const load = await variant.importModuleLoader()
  return load(options)
}
