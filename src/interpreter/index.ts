// The door of the room `interpreter`.

export { type Dialect, defaultDialect } from './dialect.js'
export type { ForeignCall, ForeignError, ForeignFunction, ForeignNamespace, ForeignReply } from './foreign.js'
export type {
  Compilation,
  CompiledProgram,
  CompileOptions,
  Language,
  Outcome,
  PositionTable,
  Program,
  ResultValue,
} from './program.js'
