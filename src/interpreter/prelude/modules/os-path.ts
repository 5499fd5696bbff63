// The part of the module `os` that needs no operating system: `os.path` on texts, by POSIX's rules, and an empty
// environment. Nothing here reads files.

import { wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { typeError } from '../values/errors.js'
import { said } from '../values/said.js'
import { TUPLE, type Tuple, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { pathText } from './pathlib.js'
import { chanceBytes } from './secrets.js'

function wantPath(x: Value | undefined): string {
  const text = pathText(x!)
  if (text !== undefined) return text
  return typeof x === 'string' ? x : typeError(said`expected str, bytes or os.PathLike object, not ${typeOf(x!)}`)
}

function joinPaths(first: string, more: readonly string[]): string {
  let path = first
  for (const part of more) {
    if (part.startsWith('/')) path = part
    else path += path === '' || path.endsWith('/') ? part : `/${part}`
  }
  return path
}

function splitPath(path: string): [string, string] {
  const at = path.lastIndexOf('/') + 1
  const head = path.slice(0, at)
  return [/^\/*$/.test(head) ? head : head.replace(/\/+$/, ''), path.slice(at)]
}

function splitExtension(path: string): [string, string] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  // Leading dots belong to the name.
  return dot <= 0 || /^\.+$/.test(name.slice(0, dot)) || name.replace(/^\.+/, '').indexOf('.') < 0
    ? [path, '']
    : [path.slice(0, path.length - name.length + dot), name.slice(dot)]
}

function normalPath(path: string): string {
  if (path === '') return '.'
  const lead = path.startsWith('//') && !path.startsWith('///') ? '//' : path.startsWith('/') ? '/' : ''
  const out: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..' || (lead === '' && out.length === 0) || out.at(-1) === '..') out.push(part)
    else out.pop()
  }
  return lead + out.join('/') || '.'
}

function commonPath(paths: readonly string[]): string {
  const split = paths.map((p) => p.split('/').filter((part) => part !== '' && part !== '.'))
  const least = split.reduce((a, b) => (a.length < b.length ? a : b))
  let n = 0
  while (n < least.length && split.every((parts) => parts[n] === least[n])) n++
  return (paths[0]!.startsWith('/') ? '/' : '') + least.slice(0, n).join('/')
}

function commonPrefix(texts: readonly string[]): string {
  const [first = ''] = texts
  let n = 0
  while (n < first.length && texts.every((t) => t[n] === first[n])) n++
  return first.slice(0, n)
}

function relative(path: string, start: string): string {
  const from = normalPath(start)
    .split('/')
    .filter((p) => p !== '' && p !== '.')
  const to = normalPath(path)
    .split('/')
    .filter((p) => p !== '' && p !== '.')
  let n = 0
  while (n < from.length && n < to.length && from[n] === to[n]) n++
  return [...from.slice(n).map(() => '..'), ...to.slice(n)].join('/') || '.'
}

const one = (name: string, f: (path: string) => Value): [string, Value] => [
  name,
  builtin(name, 'p', (p) => f(wantPath(p))),
]
const pair = ([a, b]: [string, string]): Value => [TUPLE, a, b]

export const osPath: Module = module('os.path', {
  sep: '/',
  extsep: '.',
  pardir: '..',
  curdir: '.',
  join: builtin('join', 'a, /, *p', (a, p) => joinPaths(wantPath(a), (p as Tuple).slice(1).map(wantPath))),
  ...Object.fromEntries([
    one('basename', (p) => splitPath(p)[1]),
    one('dirname', (p) => splitPath(p)[0]),
    one('split', (p) => pair(splitPath(p))),
    one('splitext', (p) => pair(splitExtension(p))),
    one('splitdrive', (p) => pair(['', p])),
    one('normpath', normalPath),
    one('normcase', (p) => p),
    one('isabs', (p) => p.startsWith('/')),
  ]),
  relpath: builtin('relpath', 'path, start=', (path, start) =>
    relative(wantPath(path), start === undefined ? '.' : wantPath(start)),
  ),
  commonpath: builtin('commonpath', 'paths', (paths) => commonPath(items(paths!).map(wantPath))),
  commonprefix: builtin('commonprefix', 'm', (m) => commonPrefix(items(m!).map(wantPath))),
})

export const os: Module = module('os', {
  path: osPath,
  sep: '/',
  linesep: '\n',
  extsep: '.',
  curdir: '.',
  pardir: '..',
  name: 'posix',
  environ: new Map(),
  urandom: builtin('urandom', 'size, /', (n) => chanceBytes(wantInt(n!, 'urandom', 'size'), 'os.urandom()')),
  getenv: builtin('getenv', 'key, default=None', (_, otherwise) => otherwise ?? null),
})
