// The module `pathlib`: paths as values, by POSIX's rules. Methods that would read files explain that there are none.

import { wantString } from '../calls/expect.js'
import { builtin, type Callable } from '../calls/signature.js'
import { attachClass, Class } from '../classes/classes.js'
import { objectClass } from '../classes/known-classes.js'
import { quoted } from '../text/repr.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import { quote } from '../values/string-literals.js'
import { type Tuple, tuple, typeOf, type Value } from '../values/values.js'
import { answer, type Registered, register } from './kinds.js'
import { type Module, module } from './module.js'
import { fnmatch } from './patterns.js'

class PurePath {
  readonly $root: string
  readonly $parts: readonly string[]
  constructor(root: string, parts: readonly string[]) {
    this.$root = root
    this.$parts = parts
  }
}
class PosixPath extends PurePath {}

function textOf(p: PurePath): string {
  return p.$root + p.$parts.join('/') || '.'
}

function segment(x: Value): string {
  if (x instanceof PurePath) return textOf(x)
  return typeof x === 'string' ? x : typeError(said`expected str, bytes or os.PathLike object, not ${typeOf(x)}`)
}

function parsed(text: string): PurePath {
  const root = /^\/\/(?!\/)/.test(text) ? '//' : text.startsWith('/') ? '/' : ''
  return new PurePath(
    root,
    text.split('/').filter((part) => part !== '' && part !== '.'),
  )
}

function joined(segments: readonly Value[]): PurePath {
  let all = new PurePath('', [])
  for (const s of segments) {
    const next = parsed(segment(s))
    all = next.$root === '' ? new PurePath(all.$root, [...all.$parts, ...next.$parts]) : next
  }
  return all
}

/** A path of the same kind as `p`. */
function like(p: PurePath, { $root, $parts }: PurePath): PurePath {
  return p instanceof PosixPath ? new PosixPath($root, $parts) : new PurePath($root, $parts)
}

function nameOf(p: PurePath): string {
  return p.$parts.at(-1) ?? ''
}

function suffixOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : ''
}

function suffixesOf(name: string): string[] {
  if (name.endsWith('.')) return []
  return name
    .replace(/^\.+/, '')
    .split('.')
    .slice(1)
    .map((s) => `.${s}`)
}

function stemOf(name: string): string {
  return name.slice(0, name.length - suffixOf(name).length)
}

function parentOf(p: PurePath): PurePath {
  return like(p, new PurePath(p.$root, p.$parts.slice(0, -1)))
}

function parentsOf(p: PurePath): PurePath[] {
  return p.$parts.map((_, i) => like(p, new PurePath(p.$root, p.$parts.slice(0, p.$parts.length - 1 - i))))
}

function renamed(p: PurePath, name: string): PurePath {
  if (nameOf(p) === '') valueError(said`${quoted(p)} has an empty name`)
  if (name === '' || name === '.' || name.includes('/')) valueError(said`Invalid name ${quoted(name)}`)
  return like(p, new PurePath(p.$root, [...p.$parts.slice(0, -1), name]))
}

function isBelow(p: PurePath, base: PurePath): boolean {
  return p.$root === base.$root && base.$parts.every((part, i) => p.$parts[i] === part)
}

function matches(p: PurePath, pattern: string): boolean {
  const wanted = parsed(pattern)
  if (wanted.$parts.length === 0) valueError('empty pattern')
  if (wanted.$root !== '' && (wanted.$root !== p.$root || wanted.$parts.length !== p.$parts.length)) return false
  const own = p.$parts.slice(-wanted.$parts.length)
  const test = fnmatch.$members.fnmatchcase as unknown as (name: Value, pattern: Value) => boolean
  return own.length === wanted.$parts.length && wanted.$parts.every((w, i) => test(own[i]!, w))
}

const attributes: Readonly<Record<string, (p: PurePath) => Value>> = {
  name: nameOf,
  stem: (p) => stemOf(nameOf(p)),
  suffix: (p) => suffixOf(nameOf(p)),
  suffixes: (p) => suffixesOf(nameOf(p)),
  parent: parentOf,
  parents: (p) => tuple(parentsOf(p)),
  parts: (p) => tuple(p.$root === '' ? p.$parts : [p.$root, ...p.$parts]),
  root: (p) => p.$root,
  anchor: (p) => p.$root,
  drive: () => '',
}

type Method = readonly [string, (p: PurePath, ...args: (Value | undefined)[]) => Value]
const rest = (x: Value | undefined): readonly Value[] => (x as Tuple).slice(1)

const methods: Readonly<Record<string, Method>> = {
  as_posix: ['/', textOf],
  __fspath__: ['/', textOf],
  __str__: ['/', textOf],
  is_absolute: ['/', (p) => p.$root !== ''],
  joinpath: ['*pathsegments', (p, more) => like(p, joined([p, ...rest(more)]))],
  with_name: ['name', (p, name) => renamed(p, wantString(name, 'with_name', 'name'))],
  with_stem: ['stem', (p, stem) => renamed(p, wantString(stem, 'with_stem', 'stem') + suffixOf(nameOf(p)))],
  with_suffix: [
    'suffix',
    (p, given) => {
      const suffix = wantString(given, 'with_suffix', 'suffix')
      if (suffix.includes('/') || (suffix !== '' && !/^\.[^/]/.test(suffix)))
        valueError(said`Invalid suffix ${quoted(suffix)}`)
      return renamed(p, stemOf(nameOf(p)) + suffix)
    },
  ],
  relative_to: [
    '*other',
    (p, other) => {
      const base = joined(rest(other))
      if (isBelow(p, base)) return like(p, new PurePath('', p.$parts.slice(base.$parts.length)))
      return valueError(
        said`${quoted(textOf(p))} is not in the subpath of ${quoted(textOf(base))} OR one path is relative and the other is absolute.`,
      )
    },
  ],
  is_relative_to: ['*other', (p, other) => isBelow(p, joined(rest(other)))],
  match: ['path_pattern', (p, pattern) => matches(p, segment(pattern!))],
}

/** The names of methods that would read or change files. */
const refused =
  'absolute chmod exists expanduser glob group hardlink_to is_dir is_file is_symlink iterdir lstat mkdir open owner read_bytes read_text readlink rename replace resolve rglob rmdir samefile stat symlink_to touch unlink write_bytes write_text'.split(
    ' ',
  )

function noFiles(name: string): never {
  return raise('RuntimeError', said`Path.${asName(name)} is not available: programs have no files`, {
    code: 'no-files',
    hint: 'read and write through a tool of a file server',
  })
}

const purePath = new Class('PurePath', 'builtin', [objectClass])
const path = new Class('Path', 'builtin', [purePath])
const makes = (name: string, of: typeof PurePath): Callable =>
  builtin(name, '*pathsegments', (segments) => {
    const { $root, $parts } = joined(rest(segments))
    return new of($root, $parts)
  })
attachClass(makes('PurePath', PurePath), purePath)
attachClass(makes('Path', PosixPath), path)
for (const cls of [purePath, path]) cls.$extras.module = 'pathlib'

function kindOf(name: string, of: typeof PurePath, base: Class): Registered<PurePath> {
  const kind = register<PurePath>({
    name,
    type: name,
    of,
    base,
    parameters: '*pathsegments',
    make: makes(name, of) as never,
    attributes,
    protocol: {
      truth: () => true,
      binary(operator, x, other, reflected) {
        if (operator !== '/' || (typeof other !== 'string' && !(other instanceof PurePath))) return undefined
        return like(x as PurePath, joined(reflected ? [other, x] : [x, other]))
      },
      equals: (x, other) => (other instanceof PurePath ? textOf(x as PurePath) === textOf(other) : undefined),
      order(x, other, operator) {
        if (!(other instanceof PurePath)) return undefined
        const [a, b] = [x as PurePath, other].map((p) => [p.$root, ...p.$parts].join('\0'))
        return answer(a! < b! ? -1 : a! > b! ? 1 : 0, operator)
      },
      hashKey: (x) => tuple(['pathlib', textOf(x as PurePath)]),
      str: (x) => textOf(x as PurePath),
      repr: (x) => `${name}(${quote(textOf(x as PurePath))})`,
    },
  })
  kind.cls.$extras.module = 'pathlib'
  for (const [methodName, [parameters, fn]] of Object.entries(methods)) kind.method(methodName, parameters, fn)
  return kind
}

const pure = kindOf('PurePosixPath', PurePath, purePath)
const posix = kindOf('PosixPath', PosixPath, path)
// They have no `*args`: otherwise calls of methods of these names on texts and patterns would have to be bound as well.
for (const name of refused)
  posix.method(name, 'a=, b=, c=, d=, encoding=, errors=, exist_ok=, parents=, missing_ok=', () => noFiles(name))
for (const name of ['cwd', 'home']) {
  const f = builtin(name, '', () => noFiles(name))
  path.$members[name] = f
}

export const pathlib: Module = module('pathlib', {
  PurePath: purePath.$value,
  PurePosixPath: pure.value,
  Path: path.$value,
  PosixPath: posix.value,
})

/** The text of a path, for other modules. Undefined for other values. */
export function pathText(x: Value): string | undefined {
  return x instanceof PurePath ? textOf(x) : undefined
}
