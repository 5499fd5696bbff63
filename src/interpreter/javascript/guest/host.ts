// The functions that the sandbox gives a guest. They are taken from the global object when the guest's library is
// evaluated, and deleted there.

interface SandboxGlobals {
  hostCall?: (payload: string) => string
  hostSend?: (payload: string) => void
  hostReceive?: (id: number) => string
  hostReceiveLines?: (id: number) => string | undefined
  hostReceiveAny?: () => string
  hostPrint?: (text: string) => void
  hostLookUp?: (question: string) => string
  hostRewrite?: (order: string) => string | undefined
}

const globals = globalThis as unknown as SandboxGlobals

function missing(): never {
  throw new Error('this guest has no host to call')
}

let made = 0
let waited = false

/** Records that the program has waited, so its next call is not urgent. */
export function noteWait(): void {
  waited = true
}

/** The number of replies that are outstanding. Concurrent calls are not urgent either. */
let underway = 0

/** The text of a call; see foreign.ts of the host. */
function asked(payload: string): string {
  if (!waited && underway === 0) return payload
  waited = false
  return `${payload} `
}

const { hostCall: callAndWait = missing, hostSend = missing, hostReceive = missing, hostReceiveAny = missing } = globals

/** Asks the host and waits for its reply. */
export function ask(payload: string): string {
  made++
  return callAndWait(asked(payload))
}

/** Sends a call to the host without waiting. Returns its number: the calls of a run count from 1, in order. */
export function send(payload: string): number {
  hostSend(asked(payload))
  made++
  underway++
  return made
}

/** Waits for the reply to one call that was sent. */
export function receive(id: number): string {
  underway--
  return hostReceive(id)
}

/** Waits for the reply to any outstanding call. */
export function receiveAny(): { readonly id: number; readonly reply: string } {
  const text = hostReceiveAny()
  underway--
  const space = text.indexOf(' ')
  return { id: Number(text.slice(0, space)), reply: text.slice(space + 1) }
}

/** Queries the host's tables. The same query always has the same answer. */
export const askTables: (question: string) => string = globals.hostLookUp ?? missing

/** Hands one piece of output to the host. */
export const write: (text: string) => void = globals.hostPrint ?? (() => undefined)

for (const name of [
  'hostCall',
  'hostSend',
  'hostReceive',
  'hostReceiveLines',
  'hostReceiveAny',
  'hostPrint',
  'hostLookUp',
  'hostRewrite',
] as const)
  delete globals[name]
