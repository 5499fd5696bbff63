// Why programs of either language may not have something, and what to use instead. Texts only; what is refused, each
// language says itself.

export interface Refusal {
  readonly reason: string
  readonly instead: string
}

export const noClock: Refusal = {
  reason: 'programs have no clock',
  instead: 'take the time from a tool, or from a value in the data',
}
export const noRandom: Refusal = {
  reason: 'programs are deterministic',
  instead: 'choose by position, or by a hash of the data',
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
