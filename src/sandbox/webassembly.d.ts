// The used part of the WebAssembly interface, which Node's types lack.

declare namespace WebAssembly {
  class Module {
    private readonly compiled: never
  }
  class Memory {
    constructor(size: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }
  type Imports = Record<string, Record<string, unknown>>
  type Exports = Record<string, unknown>
  /** An import that may suspend the WebAssembly that calls it. Only where the runtime has stack switching. */
  class Suspending {
    constructor(f: (...args: number[]) => unknown)
  }
  function promising(f: (...args: number[]) => number): (...args: number[]) => Promise<number>
  function compile(bytes: Uint8Array): Promise<Module>
}
