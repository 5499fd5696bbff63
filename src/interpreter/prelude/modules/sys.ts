// The part of the module `sys` that needs no operating system. `sys.stdout` is the program's output, and `sys.stdin` is
// the run's input. `sys.stderr` is dropped, except for the last line before an exit.

import { limits } from '../calls/recursion.js'
import { builtin } from '../calls/signature.js'
import { errorClass } from '../classes/known-classes.js'
import { printText } from '../host/output.js'
import { GuestError, guestError, handling } from '../values/errors.js'
import { said, spelled } from '../values/said.js'
import { Big, TUPLE, typeOf, type Value } from '../values/values.js'
import { textStream } from './io.js'
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

/** The program's name and arguments. */
const argv = ['program']
const stdin = textStream('')

/** Sets the input of this run. */
export function giveInput(given: readonly string[] | undefined, text = ''): void {
  if (given !== undefined) argv.splice(0, argv.length, ...given)
  stdin.$text = text
}

let complaint = ''

const stdout: Value = stream('stdout', (text) => printText(text, ''))

export const sys: Module = module('sys', {
  stdout,
  stderr: stream('stderr', (text) => {
    complaint = text.trimEnd().slice(text.trimEnd().lastIndexOf('\n') + 1)
  }),
  exit: builtin('exit', 'status=, /', (status) => {
    const hint = complaint === '' ? undefined : said`the program wrote to stderr: ${spelled(complaint)}`
    throw new GuestError('SystemExit', undefined, status === undefined ? [] : [status], hint)
  }),
  argv,
  stdin,
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
