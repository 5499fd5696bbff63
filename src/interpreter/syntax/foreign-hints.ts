// What a writer of another language probably meant. Knows habits of other languages, looks at the text around an error, and says
// nothing when it is not certain.

import { lineEnd } from './characters.js'

const declarations = /^(?:const|let|var|val|final|auto|my|local|int|float|double|string|bool|boolean|dim)$/
const functions = /^(?:function|func|fn|fun|sub|proc|void)$/

const otherWords: Readonly<Record<string, string>> = {
  elseif: 'Write: elif condition:',
  elsif: 'Write: elif condition:',
  catch: 'Write: except Exception as e:',
  throw: 'Write: raise ValueError("message")',
  foreach: 'Write: for item in items:',
  switch: 'Write an if / elif chain',
  case: 'Write an if / elif chain',
  new: 'Call the class directly: Name(…)',
  typeof: 'Write: type(x)',
  delete: 'Write: del x[key]',
  echo: 'Write: print(x)',
  puts: 'Write: print(x)',
  exec: 'Call functions directly: code in strings is not run',
  until: 'Write: while not condition:',
  unless: 'Write: if not condition:',
  begin: "Blocks start with ':' and are indented",
  end: 'Blocks end with their indentation: leave the word out',
}

/** A hint for the token at `at`, which could not be parsed; `previousEnd` is where the token before it ended. */
export function foreignHint(text: string, at: number, previousEnd: number): string | undefined {
  const rest = text.slice(at, Math.min(lineEnd(text, at), at + 80))
  if (rest.startsWith('//') || rest.startsWith('/*')) return 'Comments start with #'
  const before = text.slice(Math.max(0, previousEnd - 30), previousEnd)
  const word = /[A-Za-z_]\w*$/.exec(before)?.[0]
  if (word === undefined || !/^[ \t]+$/.test(text.slice(previousEnd, at))) return undefined
  if (word === 'print' && !/^[=.[]/.test(rest)) return `Write: print(${rest.replace(/\s*(?:#.*)?$/, '')})`
  if (!/^[A-Za-z_("'\d{$]/.test(rest)) return undefined
  if (declarations.test(word)) return `Leave ${word} out: a name is declared by assigning to it`
  if (functions.test(word)) return 'Write: def name(parameters):'
  return Object.hasOwn(otherWords, word) ? otherWords[word] : undefined
}
