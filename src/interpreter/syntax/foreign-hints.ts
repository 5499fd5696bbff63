// Recognises the syntax of other languages around an error. Gives a hint only where the meaning is certain.

import { lineEnd } from './characters.js'

const declarations = /^(?:const|let|var|val|final|auto|my|local|int|float|double|string|bool|boolean|dim)$/
const functions = /^(?:function|func|fn|fun|sub|proc|void)$/

const otherWords: Readonly<Record<string, string>> = {
  elseif: 'write: elif condition:',
  elsif: 'write: elif condition:',
  catch: 'write: except Exception as e:',
  throw: 'write: raise ValueError("message")',
  foreach: 'write: for item in items:',
  switch: 'write an if / elif chain',
  case: 'write an if / elif chain',
  new: 'call the class directly: Name(…)',
  typeof: 'write: type(x)',
  delete: 'write: del x[key]',
  echo: 'write: print(x)',
  puts: 'write: print(x)',
  exec: 'call functions directly: code in strings is not run',
  until: 'write: while not condition:',
  unless: 'write: if not condition:',
  begin: "blocks start with ':' and are indented",
  end: 'blocks end with their indentation: leave the word out',
}

/** A hint for the token at `at`, which could not be parsed; `previousEnd` is where the token before it ended. */
export function foreignHint(text: string, at: number, previousEnd: number): string | undefined {
  const rest = text.slice(at, Math.min(lineEnd(text, at), at + 80))
  if (rest.startsWith('//') || rest.startsWith('/*')) return 'comments start with #'
  const before = text.slice(Math.max(0, previousEnd - 30), previousEnd)
  const word = /[A-Za-z_]\w*$/.exec(before)?.[0]
  if (word === undefined || !/^[ \t]+$/.test(text.slice(previousEnd, at))) return undefined
  if (word === 'print' && !/^[=.[]/.test(rest)) return `write: print(${rest.replace(/\s*(?:#.*)?$/, '')})`
  if (!/^[A-Za-z_("'\d{$]/.test(rest)) return undefined
  if (declarations.test(word)) return `leave ${word} out: a name is declared by assigning to it`
  if (functions.test(word)) return 'write: def name(parameters):'
  return Object.hasOwn(otherWords, word) ? otherWords[word] : undefined
}
