// What is known of builtins and of the methods of built-in types: results, and what names from other languages are
// called here.

import { ANY, BOOL, BYTES, DICT, FLOAT, INT, LIST, RANGE, SET, STR, type Type } from './types.js'

const STR_LIST: Type = { kind: 'list', item: STR, made: true }

const results: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  str: {
    ...Object.fromEntries(
      'upper lower strip lstrip rstrip replace join title capitalize format removeprefix removesuffix ljust rjust center zfill casefold swapcase expandtabs'
        .split(' ')
        .map((name) => [name, STR]),
    ),
    ...Object.fromEntries(
      'startswith endswith isdigit isalpha isalnum isspace islower isupper istitle isnumeric isdecimal'
        .split(' ')
        .map((name) => [name, BOOL]),
    ),
    split: STR_LIST,
    rsplit: STR_LIST,
    splitlines: STR_LIST,
    find: INT,
    rfind: INT,
    index: INT,
    rindex: INT,
    count: INT,
    encode: BYTES,
  },
  list: { copy: LIST, index: INT, count: INT },
  dict: { copy: DICT },
}

/** What a method of a built-in type returns. */
export function methodResult(type: string, name: string): Type {
  const own = Object.hasOwn(results, type) ? results[type]! : {}
  return Object.hasOwn(own, name) ? own[name]! : ANY
}

const builtins: Readonly<Record<string, Type>> = {
  len: INT,
  str: STR,
  repr: STR,
  int: INT,
  float: FLOAT,
  bool: BOOL,
  list: LIST,
  sorted: LIST,
  dict: DICT,
  set: SET,
  range: RANGE,
  any: BOOL,
  all: BOOL,
  hasattr: BOOL,
  isinstance: BOOL,
  callable: BOOL,
  ord: INT,
  chr: STR,
  bin: STR,
  hex: STR,
  oct: STR,
  print: { kind: 'none' },
}

/** What a builtin returns. */
export function builtinResult(name: string): Type {
  return Object.hasOwn(builtins, name) ? builtins[name]! : ANY
}

/** By type and name: what one writes instead. `$` stands for the object. */
const foreignNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list: {
    push: 'write $.append(x)',
    add: 'write $.append(x)',
    length: 'write len($)',
    size: 'write len($)',
    map: 'write [f(x) for x in $]',
    forEach: 'write a for loop: for x in $',
    filter: 'write [x for x in $ if …]',
    reduce: 'write a for loop, or sum($)',
    join: 'write ", ".join($)',
    includes: 'write x in $',
    contains: 'write x in $',
    indexOf: 'write $.index(x)',
    slice: 'write $[start:end]',
    concat: 'write $ + other',
    find: 'write $.index(x), or x in $',
    shift: 'write $.pop(0)',
    unshift: 'write $.insert(0, x)',
    sorted: 'write sorted($)',
    split: 'the elements are already apart; index them with $[i]',
    get: 'index it with $[i]',
    keys: 'write range(len($))',
    items: 'write enumerate($)',
    values: 'iterate over $ itself',
  },
  str: {
    length: 'write len($)',
    size: 'write len($)',
    toUpperCase: 'write $.upper()',
    toLowerCase: 'write $.lower()',
    trim: 'write $.strip()',
    includes: 'write x in $',
    contains: 'write x in $',
    indexOf: 'write $.find(x)',
    substring: 'write $[start:end]',
    substr: 'write $[start:end]',
    slice: 'write $[start:end]',
    startsWith: 'write $.startswith(x)',
    endsWith: 'write $.endswith(x)',
    replaceAll: 'write $.replace(old, new)',
    charAt: 'write $[i]',
    concat: 'write $ + other',
    append: 'write $ + other',
    push: 'write $ + other',
    reverse: 'write $[::-1]',
    toString: 'it is a str already',
    decode: 'it is a str already',
    json: 'write json.loads($)',
  },
  dict: {
    length: 'write len($)',
    size: 'write len($)',
    has_key: 'write key in $',
    has: 'write key in $',
    hasOwnProperty: 'write key in $',
    contains: 'write key in $',
    iteritems: 'write $.items()',
    entries: 'write $.items()',
    forEach: 'write a for loop: for key, value in $.items()',
    add: 'write $[key] = value',
    append: 'write $[key] = value',
    put: 'write $[key] = value',
    set: 'write $[key] = value',
    merge: 'write $.update(other)',
    json: 'it is a dict already',
  },
  tuple: {
    append: 'make it a list: list($)',
    length: 'write len($)',
    sort: 'write sorted($)',
  },
  set: {
    append: 'write $.add(x)',
    push: 'write $.add(x)',
    length: 'write len($)',
    has: 'write x in $',
    contains: 'write x in $',
  },
  int: { toString: 'write str($)', toFixed: 'write f"{$:.2f}"', length: 'write len(str($))' },
  float: { toString: 'write str($)', toFixed: 'write f"{$:.2f}"', round: 'write round($, 2)' },
}

/** How the program says what a name from another language means; `object` is the text of the object. */
export function foreignName(type: string, name: string, object: string): string | undefined {
  const own = Object.hasOwn(foreignNames, type) ? foreignNames[type]! : {}
  return Object.hasOwn(own, name) ? own[name]!.replaceAll('$', () => object) : undefined
}
