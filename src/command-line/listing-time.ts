// The time that a listing may wait for servers: a command that asks all of them answers two seconds after its start.

/** From the call of `main` to the wait's end. Node's own start and the end of the servers take the rest. */
const ANSWER_MS = 1450
/** On a machine that is too busy for that, servers still get this time. */
const LEAST_MS = 1000

let begunAt = 0

/** Called when a command begins. */
export function beginListingTime(): void {
  begunAt = performance.now()
}

/** What is left of it, in milliseconds. */
export function listingMs(): number {
  return Math.max(LEAST_MS, begunAt + ANSWER_MS - performance.now())
}
