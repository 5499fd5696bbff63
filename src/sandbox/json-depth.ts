// Measures the depth of a JSON text without parsing it. A text that is too deep must not reach a parser or a recursive
// function.

/**
 * The most brackets that are open at once, those inside strings not counted. For a text that is not JSON: at least the
 * depth that a parser would reach.
 */
export function nestingDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = endOfString(text, i + 1)
        break
      case 0x5b:
      case 0x7b:
        depth++
        if (depth > deepest) deepest = depth
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
    }
  }
  return deepest
}

function endOfString(text: string, from: number): number {
  let at = from
  while (true) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c && quote - 1 - slashes >= from) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
}
