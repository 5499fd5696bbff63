// A run's calls on the host: the ledger, the known answers, and the attempts at a program whose reads run ahead. The
// essay is in interpreter/compile/read-ahead/README.md.

export { runAttempts } from './attempts.js'
export { type PlacedCall, RunCalls } from './run-calls.js'
