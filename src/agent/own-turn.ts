// Spreads bursts over turns of the event loop: where hundreds of streams begin or go on together, others come in between.

/** So many may go on in one turn; each takes a few milliseconds. */
const AT_ONCE = 4

const waiting: (() => void)[] = []

/** Resolves in one of the next turns of the event loop, in the order of the calls. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  for (const resolve of waiting.splice(0, AT_ONCE)) resolve()
  if (waiting.length > 0) setImmediate(goOn)
}
