// The door of the stage `resolve`.

export { Knowledge } from './knowledge.js'
export { type Resolved, type ResolveOptions, resolve } from './resolve.js'
export { type Binding, type BindingKind, frameOf, type Resolution, type Scope } from './scope.js'
