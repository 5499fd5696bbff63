// The modules of the default dialect other than `json` and `math`, by their import names.

import { ast } from './ast.js'
import { base64 } from './base64.js'
import { binascii } from './binascii.js'
import { calendar } from './calendar.js'
import { collections, collectionsAbc } from './collections.js'
import { copy } from './copy.js'
import { csv } from './csv.js'
import { datetime } from './datetime.js'
import { decimal } from './decimal.js'
import { difflib } from './difflib.js'
import { fractions } from './fractions.js'
import { functions } from './functions.js'
import { functools } from './functools.js'
import { graphlib } from './graphlib.js'
import { hashlib, hmac, zlib } from './hashlib.js'
import { heapq } from './heapq.js'
import { html } from './html.js'
import { htmlParser } from './html-parser.js'
import { io } from './io.js'
import { itertools } from './itertools.js'
import { logging, warnings } from './logging.js'
import type { Module } from './module.js'
import { numbers } from './numbers.js'
import { operator } from './operator.js'
import { os, osPath } from './os-path.js'
import { pathlib } from './pathlib.js'
import { fnmatch, shlex, unicodedata } from './patterns.js'
import { pprint } from './pprint.js'
import { queue } from './queue.js'
import { randomModule } from './random.js'
import { re } from './re.js'
import { secrets } from './secrets.js'
import { statistics } from './statistics.js'
import { string } from './string.js'
import { struct } from './struct.js'
import { threading } from './threading.js'
import { time } from './time.js'
import { traceback } from './traceback.js'
import { urllib, urllibParse } from './urllib.js'
import { uuid } from './uuid.js'
import { xmlModules } from './xml.js'
import { zoneinfo } from './zoneinfo.js'

export const pythonModules: Readonly<Record<string, Module>> = {
  ast,
  base64,
  binascii,
  calendar,
  collections,
  'collections.abc': collectionsAbc,
  copy,
  csv,
  datetime,
  decimal,
  difflib,
  fnmatch,
  fractions,
  _functions: functions,
  functools,
  graphlib,
  hashlib,
  hmac,
  heapq,
  html,
  'html.parser': htmlParser,
  io,
  itertools,
  logging,
  numbers,
  operator,
  os,
  'os.path': osPath,
  pathlib,
  posixpath: osPath,
  pprint,
  queue,
  random: randomModule,
  re,
  secrets,
  shlex,
  statistics,
  string,
  struct,
  threading,
  time,
  traceback,
  unicodedata,
  urllib,
  'urllib.parse': urllibParse,
  uuid,
  warnings,
  ...xmlModules,
  zlib,
  zoneinfo,
}
