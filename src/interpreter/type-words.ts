const WORDS: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  None: 'null',
  True: 'true',
  False: 'false',
}

/** What JavaScript calls what Python calls that. */
export function inJavaScript(word: string): string {
  return Object.hasOwn(WORDS, word) ? WORDS[word]! : word
}
