// The door of the stage `resolve`.

export { callsByName } from './by-name.js'
export { Knowledge } from './knowledge.js'
export type { ResolveOptions } from './options.js'
export { reachOf } from './reach.js'
export { type Resolved, resolve } from './resolve.js'
export { type Binding, type BindingKind, frameOf, isKnownFunction, type Resolution, type Scope } from './scope.js'
