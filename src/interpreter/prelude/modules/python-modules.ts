// The modules of Python that programs of the default dialect find beside `json` and `math`, by the name they are imported under.

import { base64 } from './base64.js'
import { collections, collectionsAbc } from './collections.js'
import { datetime } from './datetime.js'
import { functools } from './functools.js'
import { hashlib } from './hashlib.js'
import { itertools } from './itertools.js'
import type { Module } from './module.js'
import { operator } from './operator.js'
import { re } from './re.js'
import { statistics } from './statistics.js'
import { string } from './string.js'
import { textwrap } from './textwrap.js'

export const pythonModules: Readonly<Record<string, Module>> = {
  base64,
  collections,
  'collections.abc': collectionsAbc,
  datetime,
  functools,
  hashlib,
  itertools,
  operator,
  re,
  statistics,
  string,
  textwrap,
}
