// The door of the room `bindings`.

export { isTextType, type NamedFile, type NamedFiles } from './artifact-arguments.js'
export { type Bindings, bindServers } from './bindings.js'
export type { BindingLevel, BoundServer, BoundTool } from './bound.js'
export type { CallRecord } from './call-record.js'
export { type Catalogue, type QuarantinedTool, readCatalogue, sortOut } from './catalogue.js'
export { errorReply } from './convert-outcome.js'
export {
  answering,
  type ProgramQuestion,
  readQuestion,
} from './discovery.js'
export { toolDocs } from './docs.js'
export { ExactInteger, exactText } from './exact-integers.js'
export { exampleArguments, exampleCall } from './example.js'
export { guestNames, toolCalled } from './find.js'
export { identifierFor } from './identifiers.js'
export { describedIn } from './notation.js'
export { type ObservationOptions, Observations } from './observed.js'
export type {
  CallSent,
  CallToAdmit,
  Performed,
  PerformOptions,
  ReadLongCall,
} from './perform-options.js'
export { atOnce, type Pieces, type WaitingPieces } from './pieces.js'
export { commentText, cutAtWord, firstSentence } from './quoting.js'
export { checkArguments, isLongCall, readLongCall, sha256 } from './read-arguments.js'
export {
  type CallLane,
  CallSchedule,
} from './schedule.js'
export { schemaWords } from './schema-words.js'
export { serverScriptStub, serverScriptStubPieces, toolScriptStub, toolScriptStubPieces } from './script-stub.js'
export {
  defaultDescriptionLength,
  readyToDescribe,
  type StubOptions,
  serverStub,
  serverStubPieces,
  signatureText,
  toolStub,
  toolStubPieces,
  toolWords,
} from './stub.js'
export { type ServerPiece, serverPieces, TaughtServers } from './taught-servers.js'
export type {
  ContentBlock,
  JsonSchema,
  KeptForCall,
  Tool,
  ToolAnnotations,
  ToolCaller,
  ToolCallOptions,
  ToolOutcome,
  ToolProgress,
  ToolServer,
} from './tool.js'
export { isSafeToRepeat } from './tool.js'
export { type Notation, quotedName } from './value-words.js'
