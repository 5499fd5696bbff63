// The module `sys`, in the parts that need no operating system. What is written to `sys.stderr` is dropped: a
// program's output is what CPython writes to its standard output.

import { limits } from '../calls/recursion.js'
import { builtin } from '../calls/signature.js'
import { errorClass } from '../classes/known-classes.js'
import { printText } from '../host/output.js'
import { guestError, handling, ownError } from '../values/errors.js'
import { said } from '../values/said.js'
import { Big, TUPLE, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

function stream(name: string, write: (text: string) => void): Value {
  return new Thing('TextIOWrapper', {
    write: builtin('write', 'text, /', (text) => {
      if (typeof text !== 'string')
        throw guestError('TypeError', said`write() argument must be str, not ${typeOf(text!)}`)
      write(text)
      return text.length
    }),
    writelines: builtin('writelines', 'lines, /', (lines) => {
      for (const line of lines as Value[]) write(line as string)
      return null
    }),
    flush: builtin('flush', '', () => null),
    isatty: builtin('isatty', '', () => false),
    name: `<${name}>`,
    encoding: 'utf-8',
  })
}

export const stdout: Value = stream('stdout', (text) => printText(text, ''))

export const sys: Module = module('sys', {
  stdout,
  stderr: stream('stderr', () => undefined),
  exit: builtin('exit', 'status=, /', (status) => {
    throw ownError('SystemExit', status === undefined ? [] : [status])
  }),
  argv: ['program'],
  maxsize: new Big(9223372036854775807n),
  byteorder: 'little',
  version_info: [TUPLE, 3, 11, 0, 'final', 0],
  version: '3.11.0',
  platform: 'linux',
  ...limits,
  exc_info: builtin('exc_info', '', () => {
    const e = handling.now
    return e === undefined ? [TUPLE, null, null, null] : [TUPLE, errorClass(e).$value, e, null]
  }),
})
