// The module `re`: regular expressions with Python's syntax and results, matched by JavaScript's engine. Offsets count
// UTF-16 units. This file declares the functions and the methods of patterns, and re/ implements them.

import { optionalInt, wantInt, wantString } from '../calls/expect.js'
import { method } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { TUPLE, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { compile, compiled, Pattern } from './re/pattern.js'
import { findAll, finditer, matchOnce, split, substitute } from './re/search.js'
import { ASCII, DOTALL, IGNORECASE, LOCALE, MULTILINE, UNICODE, VERBOSE } from './re/translate.js'

function onPattern(name: string, parameters: string, fn: (p: Pattern, a?: Value, b?: Value, c?: Value) => Value): void {
  method('re.Pattern', Pattern.prototype, name, parameters, function (this: Pattern, a?: Value, b?: Value, c?: Value) {
    return fn(this, a, b, c)
  } as never)
}

for (const way of ['search', 'match', 'fullmatch'] as const) {
  onPattern(way, 'string, pos=, endpos=', (p, s, pos, endpos) => matchOnce(p, s, way, pos, endpos))
}
onPattern('findall', 'string, pos=, endpos=', findAll)
onPattern('finditer', 'string, pos=, endpos=', finditer)
onPattern('split', 'string, maxsplit=', (p, s, most) => split(p, s, optionalInt(most, 0, 'split', 'maxsplit')))
onPattern(
  'sub',
  'repl, string, count=',
  (p, repl, s, count) => substitute(p, repl, s, optionalInt(count, 0, 'sub', 'count')).text,
)
onPattern('subn', 'repl, string, count=', (p, repl, s, count) =>
  counted(substitute(p, repl, s, optionalInt(count, 0, 'subn', 'count'))),
)

function counted(r: { readonly text: string; readonly count: number }): Value {
  return [TUPLE, r.text, r.count]
}

const members: Record<string, Value> = {
  error: exceptionClasses.error!,
  IGNORECASE,
  I: IGNORECASE,
  MULTILINE,
  M: MULTILINE,
  DOTALL,
  S: DOTALL,
  VERBOSE,
  X: VERBOSE,
  ASCII,
  A: ASCII,
  UNICODE,
  U: UNICODE,
  LOCALE,
  L: LOCALE,
  NOFLAG: 0,
  compile: builtin('compile', 'pattern, flags=', (pattern, flags) => compile(pattern!, flags)),
  findall: builtin('findall', 'pattern, string, flags=', (p, s, flags) =>
    findAll(compile(p!, flags), s, undefined, undefined),
  ),
  finditer: builtin('finditer', 'pattern, string, flags=', (p, s, flags) =>
    finditer(compile(p!, flags), s, undefined, undefined),
  ),
  split: builtin('split', 'pattern, string, maxsplit=, flags=', (p, s, most, flags) =>
    split(compile(p!, flags), s, most === undefined ? 0 : wantInt(most, 'split', 'maxsplit')),
  ),
  sub: builtin(
    'sub',
    'pattern, repl, string, count=, flags=',
    (p, repl, s, count, flags) => substitute(compile(p!, flags), repl, s, optionalInt(count, 0, 'sub', 'count')).text,
  ),
  subn: builtin('subn', 'pattern, repl, string, count=, flags=', (p, repl, s, count, flags) =>
    counted(substitute(compile(p!, flags), repl, s, optionalInt(count, 0, 'subn', 'count'))),
  ),
  escape: builtin('escape', 'pattern', (s) =>
    wantString(s, 'escape', 'pattern').replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, (c) => `\\${c}`),
  ),
  purge: builtin('purge', '', () => {
    compiled.clear()
    return null
  }),
}
for (const way of ['search', 'match', 'fullmatch'] as const) {
  members[way] = builtin(way, 'pattern, string, flags=', (p, s, flags) =>
    matchOnce(compile(p!, flags), s, way, undefined, undefined),
  )
}

export const re: Module = module('re', members)
