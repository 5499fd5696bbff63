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

/** JavaScript's word for a type, given Python's. */
export function inJavaScript(word: string): string {
  return Object.hasOwn(WORDS, word) ? WORDS[word]! : word
}
