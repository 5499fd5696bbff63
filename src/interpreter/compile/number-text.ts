// The text of a number that is put together with other text: behind a text JavaScript makes it text by itself.

const HEAD = '("" + '

export function numberText(code: string): string {
  return `${HEAD}${code})`
}

/** The code of a text, to stand behind another text and a `+`. */
export function withoutText(code: string): string {
  return code.startsWith(HEAD) && closesAtEnd(code) ? code.slice(HEAD.length, -1) : code
}

/** Is the parenthesis that opens the code closed by its last character? */
export function closesAtEnd(code: string): boolean {
  let depth = 0
  for (let i = 0; i < code.length; i++) {
    const c = code[i]
    if (c === '"') {
      for (i++; i < code.length && code[i] !== '"'; i++) if (code[i] === '\\') i++
    } else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return i === code.length - 1
  }
  return false
}
