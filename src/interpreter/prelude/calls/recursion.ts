// How deep calls of the program's functions may be nested, where a program wants to catch that they are nested too
// deeply: the generated code of such a program counts them. In all other programs running out of stack is a limit,
// which nothing catches.
// Invariant: a counted call that is left, however it is left, is counted no more.

import { raise } from '../values/errors.js'
import type { Value } from '../values/values.js'
import { wantInt } from './expect.js'
import { builtin } from './signature.js'

/** CPython's limit; the program itself is the first call. */
export const depth = { now: 1, most: 1000 }

export function tooDeep(): never {
  return raise('RecursionError', 'maximum recursion depth exceeded')
}

export const limits: Readonly<Record<string, Value>> = {
  getrecursionlimit: builtin('getrecursionlimit', '', () => depth.most),
  setrecursionlimit: builtin('setrecursionlimit', 'limit, /', (n) => {
    const most = wantInt(n!, 'setrecursionlimit', 'limit')
    if (most < 1) raise('ValueError', 'recursion limit must be greater or equal than 1')
    depth.most = most
    return null
  }),
}
