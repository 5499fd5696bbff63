// The python3 for comparisons, if the right version is installed.

import { spawnSync } from 'node:child_process'
import { isLong } from '../../random.js'

export const python = 'python3'

const version = spawnSync(python, ['-c', 'import sys; print(*sys.version_info[:2])'], {
  encoding: 'utf8',
}).stdout?.trim()

/** Messages and the text of some values differ between versions of CPython; the reference is 3.11. */
export const pythonIsRecent = version === '3 11'

/** For the names of tests that are skipped. */
export const whyNoPython = pythonIsRecent
  ? ''
  : ` (skipped: python3 is ${version === undefined || version === '' ? 'absent' : version}, 3.11 is wanted)`

/** Whether the long form uses it, and for the names of tests the reason why not. */
export const isAskedAtLength = isLong && pythonIsRecent
export const whyNotAsked = isLong ? whyNoPython : ' (in the long form)'
