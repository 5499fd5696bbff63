// The functions that the sandbox gives a guest. They are taken from the global object and deleted there.
// Invariant: calls are numbered as the host numbers them: from 1, in the order in which they are made.

interface SandboxGlobals {
  hostCall?: (payload: string) => string
  hostSend?: (payload: string) => void
  hostReceive?: (id: number) => string
  hostReceiveLines?: (id: number) => string | undefined
  hostReceiveAny?: () => string
  hostPrint?: (text: string) => void
  hostLookUp?: (question: string) => string
}

const globals = globalThis as unknown as SandboxGlobals

const missing = (): never => {
  throw new Error('this guest has no host to call')
}
const {
  hostCall: callAndWait = missing,
  hostSend: send = missing,
  hostReceive: take = missing,
  hostReceiveLines: takeLines = missing,
} = globals

/**
 * The host keeps the first replies of a run for a program that has to run once more, up to somewhat more than this
 * number of characters. The program counts them, to know when it can't run again. meta-tools/read-ahead/run-calls.ts
 * has the same figure.
 */
const REPEATABLE_CHARACTERS = 32_000_000

let calls = 0
let waited = false

/** Records that the program has waited, so its next call is not urgent. */
export function noteWait(): void {
  waited = true
}

/** The text of a call; see foreign.ts of the host. */
function asked(payload: string): string {
  if (!waited) return payload
  waited = false
  return `${payload} `
}

let receivedCharacters = 0

/** The number of calls that the program has made. */
export function callsMade(): number {
  return calls
}

/** False once the program has received more than the host keeps. */
export function isRepeatable(): boolean {
  return receivedCharacters <= REPEATABLE_CHARACTERS
}

/** Asks the host and waits for its reply. */
export function hostCall(payload: string): string {
  calls++
  return counted(callAndWait(asked(payload)))
}

/** Sends a call to the host and continues. Returns its number for `hostReceive`. */
export function hostSend(payload: string): number {
  send(asked(payload))
  return ++calls
}

/** Replies that were received together: those of consecutive calls, without those that were asked for. */
let lines: (string | undefined)[] = []
let firstOfLines = 0
let linesLeft = 0

/** Waits for the reply to a call that was sent. Each can be received once. */
export function hostReceive(id: number): string {
  if (linesLeft === 0) {
    const text = takeLines(id)
    if (text === undefined) return counted(take(id))
    lines = text.split('\n')
    firstOfLines = id
    linesLeft = lines.length
  }
  const at = id - firstOfLines
  const reply = at >= 0 ? lines[at] : undefined
  if (reply === undefined) return counted(take(id))
  lines[at] = undefined
  linesLeft--
  return counted(reply)
}

function counted(reply: string): string {
  receivedCharacters += reply.length
  return reply
}

const lookUp: (question: string) => string = globals.hostLookUp ?? missing

/** Queries the host's tables. Undefined if they have no entry. The same query always has the same answer. */
export function hostLookUp(question: readonly (string | number)[]): unknown {
  const answer = lookUp(JSON.stringify(question)).slice(1)
  return answer === '' ? undefined : JSON.parse(answer)
}

/** Hands one line of output to the host. */
export const hostPrint: (text: string) => void = globals.hostPrint ?? (() => undefined)

for (const name of [
  'hostCall',
  'hostSend',
  'hostReceive',
  'hostReceiveLines',
  'hostReceiveAny',
  'hostPrint',
  'hostLookUp',
] as const)
  delete globals[name]
