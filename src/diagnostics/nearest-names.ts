// Invariant: the work is bounded, however many and however long the names are.

/** Longer names are only tested for containing one another, and names over LONGEST not at all. */
const LONGEST_MEASURED = 64
const LONGEST = 128
const MOST_EXAMINED = 10_000
const MOST_MEASURED = 1_000

/**
 * The names closest to `wrong`, nearest first, at most `most` of them. A name is near if its optimal string alignment
 * distance is at most a third of the longer length (insertion, deletion, substitution, and swapped neighbours count;
 * case, spaces and `_ - .` do not). A name is also near if it contains the other, which must have at least three
 * characters and a quarter of its length.
 */
export function nearestNames(wrong: string, candidates: Iterable<string>, most = 3): string[] {
  if (wrong.length > LONGEST) return []
  const folded = fold(wrong)
  const scored: { name: string; score: number }[] = []
  const seen = new Set<string>()
  let measured = 0
  for (const name of candidates) {
    if (name.length > LONGEST || seen.has(name)) continue
    if (seen.size === MOST_EXAMINED) break
    seen.add(name)
    const other = fold(name)
    const longer = Math.max(folded.length, other.length)
    if (longer === 0) continue
    const apart = Math.abs(folded.length - other.length)
    const bound = Math.min(longer - 1, Math.max(1, Math.floor(longer / 3)))
    const isMeasured = longer <= LONGEST_MEASURED && apart <= bound && measured++ < MOST_MEASURED
    const distance = isMeasured ? editDistance(folded, other, bound) : undefined
    if (distance !== undefined) scored.push({ name, score: distance })
    else if (contains(folded, other)) scored.push({ name, score: longer / 3 + apart / longer })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, most).map((s) => s.name)
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\-.\s]/g, '')
}

function contains(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return shorter.length >= 3 && shorter.length * 4 >= longer.length && longer.includes(shorter)
}

/** Reused by every comparison. */
const rows = [0, 1, 2].map(() => new Uint8Array(LONGEST_MEASURED + 1)) as [Uint8Array, Uint8Array, Uint8Array]

/** The distance, if it is at most the bound: only cells near the diagonal are filled. */
function editDistance(a: string, b: string, bound: number): number | undefined {
  const far = bound + 1
  let [beforeLast, last, row] = rows
  for (let j = 0; j <= b.length; j++) last[j] = Math.min(j, far)
  let leastOfLast = 0
  for (let i = 1; i <= a.length; i++) {
    row.fill(far, 0, b.length + 1)
    row[0] = Math.min(i, far)
    let least = row[0]
    for (let j = Math.max(1, i - bound); j <= Math.min(b.length, i + bound); j++) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
      let best = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost, far)
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        best = Math.min(best, beforeLast[j - 2]! + 1)
      row[j] = best
      least = Math.min(least, best)
    }
    // A swap looks two rows back.
    if (least === far && leastOfLast === far) return undefined
    leastOfLast = least
    const spare = beforeLast
    beforeLast = last
    last = row
    row = spare
  }
  return last[b.length]! <= bound ? last[b.length] : undefined
}
