// The second door of the room `interpreter`, for threads that work on programs: reading, checking, compiling them and
// explaining their failures. The host's own thread never imports it: none of this has a bound on the event loop.

export { mainFunctionOf } from './compile/index.js'
export { compile, compileRecognised, type Recognised } from './languages.js'
export { explainThrow, placeIn, readOutcome, readReply, readThrow, spanOf } from './outcome.js'
export { builtinWords } from './words.js'
