// Reasons and replacements for refused features, shared by both languages.

export interface Refusal {
  readonly reason: string
  readonly instead: string
  /** The switch of the dialect that allows the feature. */
  readonly unless?: 'clock' | 'random' | 'input' | 'memory'
}

export const noClock: Refusal = {
  reason: 'programs have no clock',
  instead: 'write the date into the program as text, or take it from a tool (a person may set codeMode.clock to "run")',
  unless: 'clock',
}
export const noRandom: Refusal = {
  reason: 'programs are deterministic',
  instead: 'number what needs an id, or choose by a hash of the data (a person may set codeMode.random to "seeded")',
  unless: 'random',
}
export const noKeptValues: Refusal = {
  reason: 'this run keeps no values',
  instead: 'submit the program with state: "session" (a person may set codeMode.memory to "session")',
  unless: 'memory',
}
export const noFiles: Refusal = {
  reason: 'programs have no files',
  instead: 'read and write through a tool of a file server',
}
export const noNetwork: Refusal = { reason: 'programs have no network', instead: 'call a tool of an MCP server' }
export const noProcess: Refusal = {
  reason: 'programs have no operating system',
  instead: 'call a tool that does it',
}
