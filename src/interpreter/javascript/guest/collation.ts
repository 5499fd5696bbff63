// Compares ASCII texts in the order of an English dictionary: letters first and then their case, signs before digits,
// and digits before letters. Most sorted texts are ASCII, and this saves a query to the host for each pair.
// Invariant: the order is that of the host's tables.

/** Signs in their order. Other characters have no weight. */
const ORDER = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz'
const weights = new Uint8Array(128)
for (let i = 0; i < ORDER.length; i++) {
  weights[ORDER.charCodeAt(i)] = i + 1
  weights[ORDER[i]!.toUpperCase().charCodeAt(0)] = i + 1
}

/** Compares two texts; undefined if one of them contains other characters. */
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
