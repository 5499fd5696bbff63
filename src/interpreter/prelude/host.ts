// The two functions the sandbox gives a guest. Taken from the global object when the prelude is evaluated, and deleted there.

interface SandboxGlobals {
  hostCall?: (payload: string) => string
  hostPrint?: (text: string) => void
}

const globals = globalThis as unknown as SandboxGlobals

/** Asks the host and waits for its reply. */
export const hostCall: (payload: string) => string =
  globals.hostCall ??
  (() => {
    throw new Error('this guest has no host to call')
  })

/** Hands one line of output to the host. */
export const hostPrint: (text: string) => void = globals.hostPrint ?? (() => undefined)

delete globals.hostCall
delete globals.hostPrint
