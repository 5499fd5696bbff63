// Calls that are answered when a test says so, and not when a clock does: what happens before and after is then no
// matter of who is faster.

export interface Gate {
  /** Answers the calls that have come and those that will, each with what it sent. */
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
