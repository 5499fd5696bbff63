// Which of the right names a wrong one probably meant. Knows only strings.

/**
 * The names closest to `wrong`, nearest first, at most `most` of them.
 * A name is near when its optimal string alignment distance (insert, delete, substitute, swap neighbours; case and the
 * separators `_ - .` weigh nothing) is at most a third of the longer length, or when one name contains the other
 * and is at least three characters long.
 */
export function nearestNames(wrong: string, candidates: Iterable<string>, most = 3): string[] {
  const folded = fold(wrong)
  const scored: { name: string; score: number }[] = []
  for (const name of new Set(candidates)) {
    const other = fold(name)
    const longer = Math.max(folded.length, other.length)
    if (longer === 0) continue
    const distance = editDistance(folded, other)
    if (distance <= Math.max(1, Math.floor(longer / 3)) && distance < longer) scored.push({ name, score: distance })
    else if (contains(folded, other))
      scored.push({ name, score: longer / 3 + Math.abs(folded.length - other.length) / longer })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, most).map((s) => s.name)
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\-.\s]/g, '')
}

function contains(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
