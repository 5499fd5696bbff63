// The modules `typing`, `abc` and `collections.abc`: names that serve type checkers and mean little here, and the abstract kinds of values that
// `isinstance` can be asked about.

import { attributeOrAbsent } from '../attributes.js'
import type { ClassBody } from '../class-statements.js'
import { attachClass, builtinClass, Class, classCallable, objectClass } from '../classes.js'
import { ClassMethod, Property, StaticMethod } from '../descriptors.js'
import { dictFlat, dictOf, isDict } from '../dict.js'
import { Generator } from '../generators.js'
import { Iterator } from '../iterators.js'
import { PROTOCOL, type Protocol, protocolOf } from '../protocol.js'
import { builtin, isCallable } from '../signature.js'
import { Bytes, FrozenSet, isList, nameClass, Range, type Value } from '../values.js'
import { type Module, module } from './module.js'

/** `Optional[int]`, `T`, `Literal["a"]`: what can be written wherever a type can. */
class TypeForm {
  readonly $name: string
  constructor(name: string) {
    this.$name = name
  }
}
const formProtocol: Protocol = {
  getItem: (x) => x,
  binary: (operator, x) => (operator === '|' ? x : undefined),
  isTypingOnly: () => true,
  getAttribute: (x, name) => (name === '__name__' ? (x as TypeForm).$name : undefined),
  truth: () => true,
  repr: (x) => `typing.${(x as TypeForm).$name}`,
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

/** What the generic names stand for. */
const generic: Readonly<Record<string, string>> = {
  List: 'list',
  Dict: 'dict',
  Set: 'set',
  FrozenSet: 'frozenset',
  Tuple: 'tuple',
  Type: 'type',
  DefaultDict: 'defaultdict',
  OrderedDict: 'OrderedDict',
  Counter: 'Counter',
  Deque: 'deque',
  ByteString: 'bytes',
}
for (const [name, type] of Object.entries(generic)) members[name] = builtinClass(type).$value

// ---- abstract kinds --------------------------------------------------------------------------------------------

const has = (x: Value, name: string): boolean =>
  (typeof x === 'object' || typeof x === 'function') && x !== null && attributeOrAbsent(x, name) !== undefined
const isSequence = (x: Value): boolean =>
  typeof x === 'string' || Array.isArray(x) || x instanceof Range || x instanceof Bytes
const isSet = (x: Value): boolean => x instanceof Set
const isIterator = (x: Value): boolean => x instanceof Iterator || protocolOf(x)?.next !== undefined
const isContainer = (x: Value): boolean => isSequence(x) || isSet(x) || isDict(x)
const isIterable = (x: Value): boolean =>
  isContainer(x) || isIterator(x) || protocolOf(x)?.iterate !== undefined || has(x, '__iter__')
const isSized = (x: Value): boolean => isContainer(x) || protocolOf(x)?.length !== undefined
const isMutableList = (x: Value): boolean => isList(x)

const abstract: Readonly<Record<string, (x: Value) => boolean>> = {
  Iterable: isIterable,
  Iterator: isIterator,
  Generator: (x) => x instanceof Generator,
  Collection: (x) => isIterable(x) && isSized(x),
  Container: (x) => isContainer(x) || protocolOf(x)?.contains !== undefined,
  Sized: isSized,
  Reversible: isSequence,
  Sequence: isSequence,
  MutableSequence: isMutableList,
  Mapping: isDict,
  MutableMapping: isDict,
  Set: isSet,
  MutableSet: (x) => isSet(x) && !(x instanceof FrozenSet),
  Hashable: (x) => !(isDict(x) || isMutableList(x) || (isSet(x) && !(x instanceof FrozenSet))),
  Callable: (x) => isCallable(x) || protocolOf(x)?.call !== undefined,
  Awaitable: (x) => has(x, '__await__'),
  Coroutine: (x) => has(x, 'close'),
  AsyncIterator: (x) => has(x, '__anext__'),
  AsyncIterable: (x) => has(x, '__aiter__'),
  AsyncGenerator: (x) => x instanceof Generator,
  KeysView: () => false,
  ValuesView: () => false,
  ItemsView: () => false,
}

const kinds: Record<string, Value> = {}
for (const [name, test] of Object.entries(abstract)) {
  const cls = new Class(name, 'builtin', [objectClass])
  attachClass(classCallable(cls), cls)
  cls.$has = test
  cls.$extras.contributes = false
  kinds[name] = cls.$value
  if (name !== 'Set') members[name] = cls.$value
}
members.AbstractSet = kinds.Set!

// ---- functions -------------------------------------------------------------------------------------------------

members.TypeVar = builtin(
  'TypeVar',
  'name, *constraints, bound=, covariant=, contravariant=',
  (name) => new TypeForm(name as string),
)
members.ParamSpec = builtin('ParamSpec', 'name, *args', (name) => new TypeForm(name as string))
members.NewType = builtin('NewType', 'name, tp', (name) => builtin(name as string, 'x, /', (x) => x!))
members.cast = builtin('cast', 'typ, val', (_, x) => x!)
for (const name of ['overload', 'final', 'no_type_check', 'runtime_checkable', 'override'])
  members[name] = builtin(name, 'func', (f) => f!)
members.TYPE_CHECKING = false

/** `class Point(TypedDict)`: calling it makes a dict. */
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

/** The classes that bring named tuples into being: collections.namedtuple says how. */
export function defineNamedTuples(make: (cls: Class, body: ClassBody) => Value): void {
  const cls = new Class('NamedTuple', 'builtin', [objectClass])
  attachClass(classCallable(cls), cls)
  cls.$extras.inheritable = true
  cls.$extras.finish = make
  members.NamedTuple = cls.$value
}

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

/** `collections.abc`. */
export const abstractKinds: Module = module('collections.abc', kinds)
