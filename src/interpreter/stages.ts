// The exports of `interpreter` for worker threads that parse, check, compile and explain programs. The host's own
// thread must not import this file, because this work would block its event loop without a bound.

export { mainFunctionOf } from './compile/index.js'
export { describeSaved } from './describe-saved.js'
export { compile, compileRecognised } from './languages.js'
export { explainThrow, placeIn, readOutcome, readReply, readThrow, spanOf } from './outcome.js'
export { builtinWords } from './words.js'
