// Calls that a test answers explicitly instead of a timer, so that the order of events does not depend on speed.

export interface Gate {
  /** Answers pending and future calls, each with its payload. */
  open(): void
  /** Resolves when the first call has come. */
  readonly arrival: Promise<void>
  readonly onCall: (call: { readonly payload: string }) => Promise<string>
}

export function gate(): Gate {
  let open: () => void = () => undefined
  const opening = new Promise<void>((done) => {
    open = done
  })
  let came: () => void = () => undefined
  const arrival = new Promise<void>((done) => {
    came = done
  })
  const onCall = (call: { readonly payload: string }) => {
    came()
    return opening.then(() => call.payload)
  }
  return { open: () => open(), arrival, onCall }
}
