// Maps any name to a valid identifier and resolves collisions.
// Invariant: within one scope different names get different identifiers, and the result does not depend on their order.

/** The reserved words of Python and Starlark. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in ' +
    'is lambda load nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** Words that can't be a variable in the second language; members may be called so, namespaces may not. */
const JAVASCRIPT_KEYWORDS = new Set(
  (
    'arguments case catch const debugger default delete do enum eval export extends false function implements instanceof interface ' +
    'let new null package private protected public static super switch this throw true typeof undefined var void'
  ).split(' '),
)

const LONGEST = 128

export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name)
}

export function isJavaScriptKeyword(name: string): boolean {
  return JAVASCRIPT_KEYWORDS.has(name)
}

/**
 * True if a program can write the text as a name. Python normalizes identifiers to NFKC, so other forms don't count.
 */
export function isIdentifier(text: string): boolean {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return !KEYWORDS.has(text)
  return /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(text) && text.normalize('NFKC') === text
}

/**
 * The identifier for any text: a valid one stays; every character an identifier can't hold becomes `_`; a leading digit
 * gets `_` before it, a keyword `_` after it. At most 128 characters.
 */
export function identifierFor(text: string): string {
  if (text.length <= LONGEST && isIdentifier(text)) return text
  let name = cut(
    /^[\x20-\x7e]*$/.test(text) ? text.replace(/\W/g, '_') : text.normalize('NFKC').replace(/[^\p{L}\p{Nd}_]/gu, '_'),
  )
  if (!/^[\p{L}_]/u.test(name)) name = cut(`_${name}`)
  return KEYWORDS.has(name) ? `${name}_` : name
}

interface NamingOptions {
  /** Guest names that are taken already; a name that collides with one gets a trailing `_`. */
  readonly taken?: (name: string) => boolean
}

/**
 * Guest names for a scope of distinct original names. Names that are valid claim themselves first; the others follow in
 * code unit order, and one that collides with a claimed name takes the first free suffix `_2`, `_3` and so on.
 */
export function nameScope(originals: Iterable<string>, options: NamingOptions = {}): Map<string, string> {
  const taken = options.taken ?? (() => false)
  const free = (name: string): string => (taken(name) ? `${name}_` : name)
  const distinct = [...new Set(originals)].sort()
  const claimed = new Set<string>()
  const byOriginal = new Map<string, string>()
  /** The next suffix to try for each name. Smaller suffixes are claimed or taken, and stay so. */
  const suffixes = new Map<string, number>()
  const claim = (original: string, name: string): void => {
    claimed.add(name)
    byOriginal.set(original, name)
  }
  for (const original of distinct) {
    const name = identifierFor(original)
    if (name === original && free(name) === name) claim(original, name)
  }
  for (const original of distinct) {
    if (byOriginal.has(original)) continue
    const wanted = free(identifierFor(original))
    const stem = cut(wanted, LONGEST - 6)
    let name = wanted
    while (claimed.has(name) || taken(name)) {
      const suffix = suffixes.get(stem) ?? 2
      suffixes.set(stem, suffix + 1)
      name = `${stem}_${suffix}`
    }
    claim(original, name)
  }
  return byOriginal
}

/** `create-issue` as `CreateIssue`: the form of class names. Never empty and always an identifier. */
export function classNameFor(text: string): string {
  const words = text.normalize('NFKC').match(/[\p{L}\p{Nd}]+/gu) ?? []
  const name = cut(words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(''), 60)
  return identifierFor(name === '' ? 'Record' : name)
}

function cut(text: string, length = LONGEST): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}
