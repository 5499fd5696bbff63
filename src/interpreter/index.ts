// The exports of `interpreter` for the host's own thread. `stages.ts` exports everything that works on program text.

export { type Dialect, dialectOf } from './dialect.js'
export type {
  ForeignCall,
  ForeignError,
  ForeignFunction,
  ForeignNamespace,
  ForeignParameter,
  ForeignRecord,
  ForeignReply,
  ForeignSignature,
  ForeignType,
} from './foreign.js'
export { guestImage } from './images.js'
export { resultOf } from './payload.js'
export type {
  Compilation,
  CompiledProgram,
  CompileOptions,
  Explained,
  GuestExtension,
  Language,
  MainFunction,
  MainParameter,
  Outcome,
  PositionTable,
  Program,
  Reach,
  ResultValue,
} from './program.js'
export { type RunInput, type RunWorld, runCode } from './run-code.js'
export { takenNames } from './taken-names.js'
export { inJavaScript } from './type-words.js'
