// What a program does before its time is over: how far it gets is a matter of the machine, which may give it nothing
// for a while. So it is given more and more time, until it got as far as it must.

const MOST_MS = 15_000

/**
 * The first outcome that is far enough, or the one of the longest attempt: a test looks at it as if there had been no
 * other.
 */
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
