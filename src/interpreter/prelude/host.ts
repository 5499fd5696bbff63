// The functions the sandbox gives a guest. Taken from the global object when the prelude is evaluated, and deleted there.
// Invariant: every call is numbered as the host numbers it: from 1, in the order in which calls are made, waited for or not.

interface SandboxGlobals {
  hostCall?: (payload: string) => string
  hostSend?: (payload: string) => void
  hostReceive?: (id: number) => string
  hostReceiveAny?: () => string
  hostPrint?: (text: string) => void
}

const globals = globalThis as unknown as SandboxGlobals

const missing = (): never => {
  throw new Error('this guest has no host to call')
}
const { hostCall: callAndWait = missing, hostSend: send = missing, hostReceive: take = missing } = globals

let calls = 0

/** Asks the host and waits for its reply. */
export function hostCall(payload: string): string {
  calls++
  return callAndWait(payload)
}

/** Hands the host a call and goes on; returns its number, which `hostReceive` wants. */
export function hostSend(payload: string): number {
  send(payload)
  return ++calls
}

/** Waits for the reply of a call that was handed over, once. */
export const hostReceive: (id: number) => string = take

/** Hands one line of output to the host. */
export const hostPrint: (text: string) => void = globals.hostPrint ?? (() => undefined)

for (const name of ['hostCall', 'hostSend', 'hostReceive', 'hostReceiveAny', 'hostPrint'] as const) delete globals[name]
