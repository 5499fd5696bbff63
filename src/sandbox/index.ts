// The door of the room `sandbox`: programs as JavaScript text run in pristine QuickJS guests, under limits.

export type {
  GuestCall,
  GuestImage,
  Lookups,
  RunEnd,
  RunRequest,
  RunStats,
  Sandbox,
  SandboxOptions,
} from './contract.js'
export { compileEngine } from './engine-module.js'
export { type HostWorkers, type Lesson, openHostWorkers, type WorkEnd } from './host-workers.js'
export { Journal } from './journal.js'
export { nestingDepth } from './json-depth.js'
export {
  defaultLimits,
  type LimitName,
  type Limits,
  limitCeilings,
  limitDiagnostic,
  limitMeaning,
  limitNames,
  resolveLimits,
} from './limits.js'
export { openWorkerProcess } from './open-worker-process.js'
export { openSandbox } from './sandbox.js'
