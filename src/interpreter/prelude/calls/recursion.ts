// Counts nested calls in programs that catch RecursionError. In all other programs a stack overflow is a limit, and
// nothing catches it.
// Invariant: a counted call is uncounted however it ends.

import { raise } from '../values/errors.js'
import type { Value } from '../values/values.js'
import { wantInt } from './expect.js'
import { builtin } from './signature.js'

/** The current depth, and CPython's limit. The program itself is the first call. */
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
