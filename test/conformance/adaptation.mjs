// What starlark-go accepts and the specification does not, taken out of its files before they run: the name `assert` (reserved) and tabs that
// indent (not allowed). Lines keep their numbers. Strings and comments stay as they are.

const PIECES = /#[^\n]*|[rb]{0,2}("""|''')(?:\\[^]|(?!\1)[^])*\1|[rb]{0,2}("|')(?:\\[^]|(?!\2)[^\\\n])*\2|[^#"'\n]+|[^]/g

/**
 * @param {string} text
 * @returns {{ text: string, tabs: boolean }} `tabs`: were there lines indented by tabs?
 */
export function adaptGo(text) {
  let tabs = false
  let out = ''
  for (const [piece] of text.matchAll(PIECES)) {
    const first = piece[0]
    if (first === '#' || /^[rb]{0,2}["']/.test(piece)) {
      out += piece
      continue
    }
    const indented = out === '' || out.endsWith('\n') ? piece.replace(/^[\t ]*\t[\t ]*/, (space) => ((tabs = true), space.replaceAll('\t', '        '))) : piece
    out += indented.replace(/\bassert\b/g, 'assert_')
  }
  // What is loaded under the old name gets the new one.
  return { text: out.replace(/(\bload\s*\([^)]*?)(?<![=\w])(["'])assert\2/g, '$1assert_="assert"'), tabs }
}

/** A message with the names that the file has. @param {string} message */
export function original(message) {
  return message.replace(/\bassert_\b/g, 'assert')
}
