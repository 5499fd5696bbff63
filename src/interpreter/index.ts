// The exports of `interpreter` for the host's own thread. `stages.ts` exports what works on program text.

export { type Dialect, dialectOf } from './dialect.js'
export type {
  ForeignCall,
  ForeignError,
  ForeignFunction,
  ForeignNamespace,
  ForeignReply,
  ForeignSignature,
} from './foreign.js'
export { withoutLoss } from './foreign.js'
export { guestImage } from './images.js'
export { resultOf } from './payload.js'
export type {
  CompiledProgram,
  CompileOptions,
  DescribedProgram,
  Explained,
  GuestExtension,
  Language,
  MainFunction,
  MainParameter,
  Outcome,
  Program,
  Reach,
  ResultValue,
  SavedProgram,
} from './program.js'
export { type RunInput, type RunWorld, runCode } from './run-code.js'
export { takenNames } from './taken-names.js'
export { inJavaScript } from './type-words.js'
export { fileOf, textsOf, wholeText } from './whole-text.js'
