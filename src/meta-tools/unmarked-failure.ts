// The words of failures that nobody marked the values in, without the values that a program came by. What goes through a program does not reach the model unless the program prints it,
// and messages quote values: the text that was no number, the keys of a dict, an argument of the wrong type. Each such quotation stays where the
// model has it already: in the program, in what it printed, in the signatures of tools. Elsewhere its type and length take its place.
// What a program raises itself is its own words and is not touched. Knows how messages are written; knows no language.
// Invariant: what stays of a quotation was known before.

import type { Diagnostic, Span } from '../diagnostics/index.js'
import type { Explained, Language, Program } from '../interpreter/index.js'

/** The failure as its answer shows it. */
export function unmarkedFailure(
  { diagnostic }: Explained,
  run: { readonly program: Program; readonly logs: readonly string[] },
  known: Pick<KnownWords, 'isField' | 'isBuiltin'>,
): Diagnostic {
  if (isRaised(diagnostic, run.program)) return diagnostic
  return withholdValues(diagnostic, {
    language: run.program.language,
    texts: [run.program.text, ...run.logs],
    ...known,
  })
}

/** Did the program make this failure itself? In JavaScript its place tells: it is where an error was made that is not one of the engine's. */
function isRaised({ span, trace }: Diagnostic, { language, text }: Program): boolean {
  if (language !== 'javascript' || span === undefined) return false
  const sourceAt = (place: Span): string => text.split(/\r\n|\r|\n/)[place.line - 1]?.slice(place.column - 1) ?? ''
  // A class without a constructor of its own: the place is its body, and the one that made it is next.
  const isImplicit = trace !== undefined && trace.length > 1 && sourceAt(span).startsWith('{')
  const source = sourceAt(isImplicit ? trace[1]!.span : span)
  const [, made] = /^new\s+([\w$]+)/.exec(source) ?? /^((?:[A-Z]\w*)?Error)\(/.exec(source) ?? []
  return /^(?:throw|super)\b/.test(source) || (made !== undefined && isOfErrors(made, text))
}

/** Is it an error's name, or a name of the program's own? What the language has may fail in being made. */
function isOfErrors(name: string, text: string): boolean {
  const own = name.replaceAll('$', () => '\\$')
  return (
    /Error$/.test(name) || new RegExp(`\\b(?:class|function)\\s+${own}(?![\\w$])|(?<![\\w$.])${own}\\s*=`).test(text)
  )
}

export interface KnownWords {
  readonly language: Language
  /** What the model has read or written. */
  readonly texts: readonly string[]
  /** Declared in the schema of a tool. */
  readonly isField: (word: string) => boolean
  /** The name of a type, a builtin, a method. */
  readonly isBuiltin: (word: string) => boolean
}

/** What each language calls a text and numbers, and how it prints one. */
const WORDS = {
  starlark: { text: 'str', integer: 'int', number: 'float', print: 'print(repr(…))' },
  javascript: { text: 'string', integer: 'integer', number: 'number', print: 'console.log(…)' },
} as const

/** The same diagnostic where it quotes nothing that is unknown. */
export function withholdValues(diagnostic: Diagnostic, known: KnownWords): Diagnostic {
  const message = withheldIn(diagnostic.message, known)
  const { hint, ...rest } = diagnostic
  const shownHint = hint === undefined ? undefined : hintWithout(hint, known)
  const isSame = message === diagnostic.message && shownHint === hint
  if (isSame) return diagnostic
  const newHint =
    shownHint ?? `values are shown only where the program prints them: ${WORDS[known.language].print} before this line`
  return { ...rest, message, hint: newHint }
}

const KEYS = 'the dict has the keys '

/** Undefined when nothing of it may be said. */
function hintWithout(hint: string, known: KnownWords): string | undefined {
  if (!hint.startsWith(KEYS)) return withheldIn(hint, known) === hint ? hint : undefined
  const keys = quotations(hint)
  const shown = keys.filter((key) => known.isField(unquoted(key)) || isSaid(unquoted(key), known))
  if (shown.length === keys.length) return hint
  const all = `the dict has ${keys.length} key${keys.length === 1 ? '' : 's'}`
  return `${all}${shown.length === 0 ? '' : `, among them ${shown.join(', ')}`}: print(list(…)) shows them`
}

const QUOTED = /(?<![\p{L}\p{N}_])b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/gsu

function quotations(text: string): string[] {
  return [...text.matchAll(QUOTED)].map(([token]) => token)
}

/** Messages that put a text at their end as it is. */
const BARE_ENDS =
  /^(.*?\b(?:unconverted data remains:|unsupported hash type|number too large:|unknown encoding:|No time zone found with key|invalid float literal:) )(.+)$/s

/** Where names stand without quotes: what a message says is wrong with an argument, what was called, and the keys of what was thrown. */
const BARE_NAMES = [
  /^((?:TypeError: )?\w+\.\w+: )([^\s"']+)(?=: got )/u,
  /^((?:TypeError: )?\w+\.\w+: )(?!argument \d+ can't)(.+)(?= can't be sent as JSON: )/su,
  /^((?:TypeError: )?)([^\s"'():]+)(?=\(\) )/u,
  /(?<=^the program threw .*)([{,] )([\p{L}_$][\p{L}\p{N}_$]*)(?=: )/gsu,
]

/** Messages that are a value and little else: no number in them is a count. */
const ALL_VALUE = /^KeyError: |\bmissing key: | (?:is )?not in (?:list|deque|tuple)$/

function withheldIn(whole: string, words: KnownWords): string {
  const known = { ...words, isAllValue: ALL_VALUE.test(whole) }
  const bare = BARE_ENDS.exec(whole)
  if (bare !== null && !isSaid(bare[2]!, known)) return `${bare[1]}${describe(bare[2]!, known)}`
  const isOpen = (word: string): boolean =>
    /^\d+$|^__\w+__$|^<\w+>$/.test(word) || known.isField(word) || known.isBuiltin(word) || isSaid(word, known)
  const named = (_: string, start: string, path: string): string =>
    start + path.replace(/[^.[\]]+/g, (word) => (isOpen(word) ? word : '*'))
  const message = BARE_NAMES.reduce((text, names) => text.replace(names, named), whole)
  let out = ''
  let at = 0
  let isWanted = false
  for (const match of message.matchAll(QUOTED)) {
    const lead = message.slice(at, match.index)
    const plain = withoutNumbers(lead, isWanted, known)
    isWanted = stateAfter(lead, isWanted)
    const keeps = isWanted || isKnown(match[0], known)
    out += keeps ? plain + match[0] : plain.replace(/\b(?:str|string) $/, '') + describe(unquoted(match[0]), known)
    at = match.index + match[0].length
  }
  return out + withoutNumbers(message.slice(at), isWanted, known)
}

/** What a tool wants is known from its signature; what it got is not. */
function stateAfter(lead: string, isWanted: boolean): boolean {
  const last = [...lead.matchAll(/\bwant\b|\((?:nearest|there are):|\bgot\b|;/g)].at(-1)?.[0]
  return last === undefined ? isWanted : last === 'want' || last.startsWith('(')
}

const NUMBER = /(\b(?:int|float|integer|number) )?(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/g
/** Numbers before which this stands are places and amounts. */
const COUNTED =
  /(?:\b(?:char|line|column|position|argument|index|than|at least|at most|expected|in|limit) |\*\*|[[(:=-])$/

function withoutNumbers(text: string, isWanted: boolean, known: KnownWords & { readonly isAllValue: boolean }): string {
  return text.replace(NUMBER, (token, kind: string | undefined, at: number) => {
    const number = token.slice(kind?.length ?? 0)
    const lead = text.slice(0, at)
    if (stateAfter(lead, isWanted) || known.texts.some((one) => hasNumber(one, number))) return token
    const { integer, number: float } = WORDS[known.language]
    const shown = kind === 'float ' || kind === 'number ' || /[.e]/.test(number) ? `a ${float}` : `an ${integer}`
    if (kind !== undefined) return shown
    return known.isAllValue || (!COUNTED.test(lead) && number.replace(/\D/g, '').length >= 4) ? shown : token
  })
}

function hasNumber(text: string, number: string): boolean {
  return new RegExp(`(?<![\\d.])${number.replace(/[.+]/g, '\\$&')}(?![\\d.])`).test(text)
}

function isKnown(token: string, known: KnownWords): boolean {
  const inner = unquoted(token)
  return (
    /^[^\p{L}\p{N}]{0,3}$/u.test(inner) ||
    /^<\w+>|^in <\w+>$/.test(inner) ||
    known.isField(inner) ||
    known.isBuiltin(inner) ||
    isSaid(inner, known)
  )
}

function isSaid(words: string, { texts }: KnownWords): boolean {
  return texts.some((one) => one.includes(words))
}

function unquoted(token: string): string {
  return token.slice(token.startsWith('b') ? 2 : 1, -1).replace(/\\(['"\\])/g, '$1')
}

const SORTS: readonly (readonly [string, RegExp])[] = [
  ['letters', /\p{L}/u],
  ['digits', /\p{N}/u],
  ['spaces', /\s/],
  ['other signs', /[^\p{L}\p{N}\s]/u],
]

/** What a text is like: `a str of 7 characters (letters, digits)`. */
function describe(words: string, { language }: KnownWords): string {
  const { text } = WORDS[language]
  if (words.endsWith('…')) return `a long ${text}`
  const sorts = SORTS.filter(([, sort]) => sort.test(words)).map(([name]) => name)
  const length = [...words].length
  return `a ${text} of ${length} character${length === 1 ? '' : 's'}${sorts.length === 0 ? '' : ` (${sorts.join(', ')})`}`
}
