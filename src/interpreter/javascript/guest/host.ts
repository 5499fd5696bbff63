// The functions that the sandbox gives a guest. Taken from the global object when the guest's library is evaluated, and
// deleted there.

interface SandboxGlobals {
  hostCall?: (payload: string) => string
  hostSend?: (payload: string) => void
  hostReceive?: (id: number) => string
  hostReceiveAny?: () => string
  hostPrint?: (text: string) => void
}

const globals = globalThis as unknown as SandboxGlobals

function missing(): never {
  throw new Error('this guest has no host to call')
}

let made = 0

const { hostCall: callAndWait = missing, hostSend = missing, hostReceive = missing, hostReceiveAny = missing } = globals

/** Asks the host and waits for its reply. */
export function ask(payload: string): string {
  made++
  return callAndWait(payload)
}

/** Hands a call to the host and does not wait. Calls of a run count from 1 in the order made. */
export function send(payload: string): number {
  hostSend(payload)
  made++
  return made
}

/** Waits for the reply to one call that was sent. */
export function receive(id: number): string {
  return hostReceive(id)
}

/** Waits for the reply to any call that was sent and not received yet. */
export function receiveAny(): { readonly id: number; readonly reply: string } {
  const text = hostReceiveAny()
  const space = text.indexOf(' ')
  return { id: Number(text.slice(0, space)), reply: text.slice(space + 1) }
}

/** Hands one piece of output to the host. */
export const write: (text: string) => void = globals.hostPrint ?? (() => undefined)

for (const name of ['hostCall', 'hostSend', 'hostReceive', 'hostReceiveAny', 'hostPrint'] as const) delete globals[name]
