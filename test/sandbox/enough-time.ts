// Runs a program that must do something before its time runs out. A stalled machine may keep it from that, so it gets
// more and more time until it succeeds.

const MOST_MS = 15_000

/** The first successful outcome, or the one of the longest attempt; a test looks at this alone. */
export async function withEnoughTime<Outcome>(
  firstMs: number,
  attempt: (ms: number) => Promise<Outcome>,
  isFarEnough: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  for (let ms = firstMs; ; ms *= 4) {
    const outcome = await attempt(ms)
    if (isFarEnough(outcome) || ms * 4 > MOST_MS) return outcome
  }
}
