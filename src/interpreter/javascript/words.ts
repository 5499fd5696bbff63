// Types in the words of JavaScript, in messages that were written in Python's.

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

/** The same message with its types in JavaScript's words. What stands in quotes is somebody's text and stays. */
export function inJavaScriptWords(message: string): string {
  return message.replace(
    /"(?:[^"\\]|\\.)*"|\b(got|want)\b((?:"(?:[^"\\]|\\.)*"|[^;"])*)/g,
    (whole, verb?: string, types = '') => (verb === undefined ? whole : verb + translated(types as string)),
  )
}

function translated(types: string): string {
  return types
    .replace(/\bLiteral\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/g, (_, values: string) => values.replaceAll(', ', ' or '))
    .replace(
      /"(?:[^"\\]|\\.)*"|\b(?:str|int|float|bool|list|tuple|dict|None|True|False)\b/g,
      (word) => WORDS[word] ?? word,
    )
}
