// The modules `typing` and `abc`: names for type checkers, most of which have no effect here, and the bases of special
// kinds of classes.

import { builtin } from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { attachClass, Class, classIn, inheritsFrom, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { ClassMethod, Property, StaticMethod } from '../classes/descriptors.js'
import { GenericType, generic, Union, unionOf, united } from '../classes/generic-types.js'
import { builtinClass, classOf, objectClass } from '../classes/known-classes.js'
import { settleNamed, tupleClass } from '../classes/tuple-class.js'
import { dictFlat, dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import type { ClassBody } from '../statements/class-statements.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { isDict, isTuple, nameClass, tuple, type Value } from '../values/values.js'
import { ChainMap } from './collections/chain-map.js'
import { Counter } from './collections/counter.js'
import { defaultdict, OrderedDict } from './collections/default-dict.js'
import { deque } from './collections/deque.js'
import { collectionsAbc } from './collections.js'
import { type Module, module } from './module.js'

/** `Any`, `Optional`, `T`: stand-ins for types. */
class TypeForm {
  readonly $name: string
  readonly $text: string
  constructor(name: string, text = `typing.${name}`) {
    this.$name = name
    this.$text = text
  }
}
const formProtocol: Protocol = {
  getItem(x, index) {
    const name = (x as TypeForm).$name
    const types = isTuple(index) ? index.slice(1) : [index]
    if (name === 'Union') return unionOf(types, true)
    if (name === 'Optional') return unionOf([index, null], true)
    return generic(x, index, name)
  },
  binary: (operator, x, other, reflected) =>
    operator === '|' ? united(reflected ? other : x, reflected ? x : other) : undefined,
  isTypingOnly: () => true,
  getAttribute: (x, name) => (name === '__name__' ? (x as TypeForm).$name : undefined),
  truth: () => true,
  repr: (x) => (x as TypeForm).$text,
}
Object.defineProperty(TypeForm.prototype, PROTOCOL, { value: formProtocol })
nameClass((x) => x instanceof TypeForm, '_SpecialForm')

const forms = [
  'Any',
  'Optional',
  'Union',
  'Literal',
  'Final',
  'ClassVar',
  'Annotated',
  'NoReturn',
  'Never',
  'Self',
  'LiteralString',
  'TypeAlias',
  'Concatenate',
  'Required',
  'NotRequired',
  'Unpack',
  'TypeGuard',
  'Generic',
  'Protocol',
  'AnyStr',
  'Text',
  'IO',
  'TextIO',
  'BinaryIO',
  'Pattern',
  'Match',
  'SupportsInt',
  'SupportsFloat',
  'SupportsAbs',
  'SupportsIndex',
]

const members: Record<string, Value> = {}
for (const name of forms) members[name] = new TypeForm(name)
for (const name of ['Generic', 'Protocol', 'Annotated']) members[name] = new TypeForm(name, `<class 'typing.${name}'>`)

/** Declares a name that stands for a type. */
function stands(name: string, type: Value): void {
  members[name] = new GenericType(type, undefined, name)
}

/** The types that the generic names stand for. */
const types: Readonly<Record<string, string>> = {
  List: 'list',
  Dict: 'dict',
  Set: 'set',
  FrozenSet: 'frozenset',
  Tuple: 'tuple',
  Type: 'type',
}
for (const [name, type] of Object.entries(types)) stands(name, builtinClass(type).$value)
for (const [name, type] of Object.entries({ Counter, OrderedDict, DefaultDict: defaultdict, Deque: deque, ChainMap }))
  stands(name, type)

// ---- abstract kinds --------------------------------------------------------------------------------------------

for (const [name, kind] of Object.entries(collectionsAbc.$members)) {
  stands(name === 'Set' ? 'AbstractSet' : name, kind)
}
for (const name of ['Awaitable', 'Coroutine', 'AsyncIterator', 'AsyncIterable', 'AsyncGenerator']) {
  members[name] = new TypeForm(name)
}

// ---- functions -------------------------------------------------------------------------------------------------

members.TypeVar = builtin(
  'TypeVar',
  'name, *constraints, bound=, covariant=, contravariant=',
  (name) => new TypeForm(name as string, `~${name as string}`),
)
members.ParamSpec = builtin('ParamSpec', 'name, *args', (name) => new TypeForm(name as string, `~${name as string}`))
members.NewType = builtin('NewType', 'name, tp', (name) => builtin(name as string, 'x, /', (x) => x!))
members.cast = builtin('cast', 'typ, val', (_, x) => x!)
for (const name of ['overload', 'final', 'no_type_check', 'override']) members[name] = builtin(name, 'func', (f) => f!)
members.runtime_checkable = builtin('runtime_checkable', 'cls', (x) => {
  const cls = classIn(x!)
  if (cls === undefined) return x!
  const wanted = [...Object.keys(cls.$members), ...((cls.$extras.annotated as readonly string[] | undefined) ?? [])]
  const names = wanted.filter((name) => !/^(?:__init__|__hash__|_abc_.*)$/.test(name))
  cls.$has = (v) => inheritsFrom(classOf(v), cls) || names.every((name) => attributeOrAbsent(v, name) !== undefined)
  return x!
})
members.TYPE_CHECKING = false
members.get_origin = builtin('get_origin', 'tp', (x) => {
  if (x instanceof Union) return x.$isTyping ? members.Union! : builtinClass('UnionType').$value
  if (x === members.Generic) return members.Generic!
  return x instanceof GenericType ? (x.$name === 'Annotated' ? members.Annotated! : x.$origin) : null
})
members.get_args = builtin('get_args', 'tp', (x) =>
  tuple(x instanceof Union ? x.$types : x instanceof GenericType ? (x.$args ?? []) : []),
)

/** The base of `class Point(TypedDict)`. A call of such a class creates a dict. */
const typedDict = new Class('TypedDict', 'builtin', [objectClass])
attachClass(classCallable(typedDict), typedDict)
typedDict.$extras.inheritable = true
typedDict.$extras.finish = (cls: Class): undefined => {
  cls.$make = (args, named) => dictOf([...(args[0] === undefined ? [] : flatten(args[0])), ...(named ?? [])])
  cls.$has = isDict
  return undefined
}
typedDict.$make = (args) => builtin(args[0] as string, '**fields', (fields) => fields!)
members.TypedDict = typedDict.$value

function flatten(x: Value): readonly Value[] {
  return dictFlat(x as object)
}

/** The base of `class Point(NamedTuple)`. The annotated names are the fields of a named tuple. */
const namedTuple = new Class('NamedTuple', 'builtin', [objectClass])
attachClass(classCallable(namedTuple), namedTuple)
namedTuple.$extras.inheritable = true
namedTuple.$extras.finish = (cls: Class, body: ClassBody): Value => {
  const valueOfField = (name: string): Value | undefined => body.values[body.names.indexOf(name)]
  const defaults = body.annotated.map(valueOfField).filter((v) => v !== undefined)
  const made = tupleClass(cls.$name, body.annotated, { defaults, ofProgram: true })
  body.names.forEach((name, i) => {
    const value = body.values[i]
    if (value !== undefined && !body.annotated.includes(name)) setMember(made.cls, name, value)
  })
  settleNamed(made.cls, body.names)
  return made.value
}
namedTuple.$make = (args) => {
  const pairs = items(args[1]!).map((pair) => items(pair)[0] as string)
  return tupleClass(args[0] as string, pairs, { ofProgram: true }).value
}
members.NamedTuple = namedTuple.$value

export const typing: Module = module('typing', members)

// ---- abc -------------------------------------------------------------------------------------------------------

function markAbstract(f: Value): Value {
  const inner = f instanceof Property ? f.$get : f instanceof ClassMethod || f instanceof StaticMethod ? f.$function : f
  if (inner !== null) (inner as { $abstract?: boolean }).$abstract = true
  return f
}

const abstractBase = new Class('ABC', 'builtin', [objectClass])
attachClass(classCallable(abstractBase), abstractBase)
abstractBase.$extras.inheritable = true
abstractBase.$extras.abstract = true

export const abc: Module = module('abc', {
  ABC: abstractBase.$value,
  ABCMeta: new TypeForm('ABCMeta'),
  abstractmethod: builtin('abstractmethod', 'funcobj', (f) => markAbstract(f!)),
  abstractproperty: builtin('abstractproperty', 'fget', (f) => new Property(markAbstract(f!), null, null)),
})
