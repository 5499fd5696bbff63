// What starlark-go accepts and the specification does not, taken out of its files before they run: the name `assert` (reserved) and tabs that
// indent (not allowed). Lines keep their numbers. Strings and comments stay as they are.

const PIECES = /#[^\n]*|[rb]{0,2}("""|''')(?:\\.|(?!\1).)*\1|[rb]{0,2}("|')(?:\\.|(?!\2)[^\\\n])*\2|[^#"'\n]+|./gs

/**
 * @param {string} text
 * @returns {{ text: string, tabs: boolean }} `tabs`: were there lines indented by tabs?
 */
export function adaptGo(text) {
  let tabs = false
  let out = ''
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece.startsWith('#') || /^[rb]{0,2}["']/.test(piece)) {
      out += piece
      continue
    }
    const indentation = out === '' || out.endsWith('\n') ? (/^[\t ]*/.exec(piece)?.[0] ?? '') : ''
    if (indentation.includes('\t')) tabs = true
    out += indentation.replaceAll('\t', '        ') + piece.slice(indentation.length).replace(/\bassert\b/g, 'assert_')
  }
  // What is loaded under the old name gets the new one.
  return { text: out.replace(/(\bload\s*\([^)]*?)(?<![=\w])(["'])assert\2/g, '$1assert_="assert"'), tabs }
}

/** A message with the names that the file has. @param {string} message */
export function original(message) {
  return message.replace(/\bassert_\b/g, 'assert')
}
