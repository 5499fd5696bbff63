// The door of the room `interpreter`.

export { type Dialect, defaultDialect } from './dialect.js'
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
export { compile, compileRecognised, type Recognised } from './languages.js'
export { explainReply, explainThrow, readOutcome, resultOf } from './outcome.js'
export type {
  Compilation,
  CompiledProgram,
  CompileOptions,
  GuestExtension,
  Language,
  Outcome,
  PositionTable,
  Program,
  Reach,
  ResultValue,
} from './program.js'
export { type Waits, waitingCode } from './repeat.js'
export { builtinWords } from './words.js'
