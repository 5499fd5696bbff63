// Texts of ASCII in the order of a dictionary of English, by far the most that are sorted: the host is not asked for
// each pair of them. Letters count first, then their case; signs come before digits and digits before letters.
// Invariant: the same order as the host's tables have.

/** Signs in their order; characters that are not here have no weight. */
const ORDER = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz'
const weights = new Uint8Array(128)
for (let i = 0; i < ORDER.length; i++) {
  weights[ORDER.charCodeAt(i)] = i + 1
  weights[ORDER[i]!.toUpperCase().charCodeAt(0)] = i + 1
}

/** Undefined where one of the texts has other characters. */
export function compareAscii(a: string, b: string): number | undefined {
  if (!/^[\0-\x7f]*$/.test(a) || !/^[\0-\x7f]*$/.test(b)) return undefined
  let byCase = 0
  let i = 0
  let j = 0
  while (true) {
    let [x, y] = [0, 0]
    while (i < a.length && x === 0) x = weights[a.charCodeAt(i++)]!
    while (j < b.length && y === 0) y = weights[b.charCodeAt(j++)]!
    if (x !== y) return x < y ? -1 : 1
    if (x === 0) return byCase
    if (byCase === 0) byCase = Math.sign(b.charCodeAt(j - 1) - a.charCodeAt(i - 1))
  }
}
