/** The parts of a text between separators. Only the first `most` separators from the left count; negative means all. */
export function splitBy(s: string, sep: string, most: number): string[] {
  if (most < 0) return s.split(sep)
  const parts: string[] = []
  let from = 0
  for (let n = 0; n < most; n++) {
    const at = s.indexOf(sep, from)
    if (at < 0) break
    parts.push(s.slice(from, at))
    from = at + sep.length
  }
  parts.push(s.slice(from))
  return parts
}

/** The parts of a text, where only the last `most` separators count. */
export function splitLastBy(s: string, sep: string, most: number): string[] {
  // From the right, overlapping separators are found at other positions than from the left.
  const parts: string[] = []
  let to = s.length
  for (let n = 0; most < 0 || n < most; n++) {
    const at = to < sep.length ? -1 : s.lastIndexOf(sep, to - sep.length)
    if (at < 0) break
    parts.push(s.slice(at + sep.length, to))
    to = at
  }
  parts.push(s.slice(0, to))
  return parts.reverse()
}
