// Rewords acorn's syntax errors. Knows acorn's phrases, and the usual intentions behind mistakes.

export const TOO_DEEP = 'nested too deeply'

export interface Fault {
  readonly message: string
  readonly start: number
  readonly end: number
  readonly hint?: string
  readonly isTooDeep?: true
}

/**
 * The fault for an error of the parser. An error other than a SyntaxError is a fault of the parser itself, but is still
 * reported about the program.
 */
export function faultOf(error: unknown, text: string): Fault {
  if (error instanceof RangeError) return { start: 0, end: 1, message: TOO_DEEP, isTooDeep: true }
  if (!(error instanceof SyntaxError)) return { start: 0, end: 1, ...unreadable }
  const start = Math.min((error as { pos?: number }).pos ?? 0, text.length)
  const said = error.message
  const token = /^(?:[\p{L}\p{Nd}_$]+|\S)/u.exec(text.slice(start))?.[0] ?? ''
  const end = start + Math.max(1, token.length)
  const rule = rules.find(({ says }) => says.test(said))
  if (rule !== undefined) return { start, end, ...rule.fault }
  if (said === 'Unexpected token') return { start, end, ...unexpected(token, text, start) }
  return { start, end, message: `${said[0]!.toLowerCase()}${said.slice(1)}` }
}

const unreadable = {
  message: 'the program cannot be read',
  hint: 'write it in simpler JavaScript, without types',
}

const rules: readonly { readonly says: RegExp; readonly fault: Pick<Fault, 'message' | 'hint' | 'isTooDeep'> }[] = [
  { says: new RegExp(`^${TOO_DEEP}$`), fault: { message: TOO_DEEP, isTooDeep: true } },
  {
    says: /'with' in strict mode/,
    fault: { message: '`with` is not available', hint: 'name the object: o.a, or destructure it: const { a } = o' },
  },
  {
    says: /^Deleting local variable/,
    fault: { message: 'a variable cannot be deleted', hint: 'assign undefined to it' },
  },
  {
    says: /reserved word 'await'|keyword 'await'/,
    fault: {
      message: '`await` is inside a function that is not async',
      hint: 'write `async` before the function, and `await` before its calls',
    },
  },
  {
    says: /^Unterminated template/,
    fault: { message: 'a template literal is not closed', hint: 'close it with a backtick' },
  },
  { says: /^Unterminated string/, fault: { message: 'a string is not closed on its line' } },
]

function unexpected(token: string, text: string, start: number): Pick<Fault, 'message' | 'hint'> {
  if (token === '') return { message: 'the program ends too early', hint: 'close the open ( [ { or string' }
  const before = text.slice(Math.max(0, start - 40), start)
  if (/\bawait\s+$/.test(before))
    return {
      message: '`await` is inside a function that is not async',
      hint: 'write `async` before the function, and `await` before its calls',
    }
  return { message: `unexpected ${token}` }
}
