// The prelude's entry: assembles the names for generated code and leaves one function in the guest, `$starbind`.
// Invariant: after this file has run, the global object has nothing of the prelude except `$starbind`.

import { methodSymbol, methodTable, typeTable } from './calls/method-tables.js'
import { depth, tooDeep } from './calls/recursion.js'
import { builtin, call, callNamed, define, isCallable } from './calls/signature.js'
import { attribute, callAttribute, deleteAttribute, having, setAttribute } from './classes/attributes.js'
import { classIn, FIELDS, METHODS, OPEN } from './classes/classes.js'
import {
  assertionFailed,
  caught,
  exceptionValue,
  exited,
  isFatal,
  matches,
  noModule,
  nothingToRaise,
  raised,
  raisedByLibrary,
  starArguments,
} from './classes/exceptions.js'
import { describedAs } from './classes/function-descriptions.js'
import { changeInPlace } from './classes/instances.js'
import { answerMethodCalls } from './classes/method-answers.js'
import { superOf } from './classes/super.js'
import { dictOf, dictSet } from './containers/dict.js'
import { sameSize, sizeOf, unpack, unpackStarred, walk } from './containers/iterate.js'
import { tupleKey } from './containers/keys.js'
import { enter, freeze, freezeAll, isFrozen, leave, locks } from './containers/locks.js'
import { setAdd, setOf } from './containers/set.js'
import * as ahead from './foreign/ahead.js'
import { argumentText, askTool, namespace, runAheadOf, tellPlacesOf } from './foreign/namespaces.js'
import { started, stepping, suspended } from './foreign/parallel.js'
import { asData, asText, decided } from './foreign/readings.js'
import { seedWith } from './host/chance.js'
import { beginAt } from './host/clock.js'
import { enterGuard, guardBoundaries, leaveGuard } from './host/homes.js'
import { waitFor } from './host/pending.js'
import { hostPrint } from './host/sandbox-functions.js'
import { attributeOwners, builtins, modules } from './library.js'
import { annotated } from './modules/function-tools.js'
import { Module, module } from './modules/module.js'
import { giveInput } from './modules/sys.js'
import { readDecimal } from './numbers/integers.js'
import {
  add,
  floorDiv,
  matrixProduct,
  mod,
  mul,
  mulInt,
  negate,
  positive,
  power,
  sub,
  trueDiv,
} from './operators/arithmetic.js'
import { andInt, bitAnd, bitOr, bitXor, invert, shiftInt, shiftLeft, shiftRight } from './operators/bits.js'
import { equal, greater, greaterEqual, less, lessEqual } from './operators/comparison.js'
import { addInPlace, andInPlace, mulInPlace, orInPlace, subInPlace, xorInPlace } from './operators/in-place.js'
import { iterable, iterate, walkFresh } from './operators/iterators.js'
import { isIn, truth } from './operators/membership.js'
import { percentD } from './operators/percent-format.js'
import { deleteIndex, deleteSlice, index, setField, setIndex, setSlice, slice } from './operators/subscript.js'
import { ownNames } from './own-property-names.js'
import { start } from './start.js'
import { beginCall, call0, call1, call2, call3, NONE, starNamed } from './statements/calls.js'
import { beginClass, finishClass } from './statements/class-statements.js'
import { enterContext, leaveContext, leaveFailed } from './statements/contexts.js'
import { asyncIterable, awaiting, coroutine, runAwaited } from './statements/coroutines.js'
import { dictDisplay, dictEntry, SPREAD } from './statements/displays.js'
import { delegate, generator } from './statements/generators.js'
import { itemPairs, rangeBound, rangeStep } from './statements/loops.js'
import {
  isMapping,
  isOf,
  mappingRest,
  matchAttribute,
  matchKey,
  matchKeys,
  matchNames,
  sequence,
} from './statements/match.js'
import { unassigned } from './statements/variables.js'
import { formatValue } from './text/format-spec.js'
import { asciiText, repr, str } from './text/repr.js'
import { GuestError, guestError, handling } from './values/errors.js'
import { python } from './values/mode.js'
import { PROTOCOL } from './values/protocol.js'
import { asName, said, spelled } from './values/said.js'
import {
  Big,
  Bytes,
  ELLIPSIS,
  Float,
  float,
  nameClass,
  normal,
  Range,
  TUPLE,
  tuple,
  typeName,
  type Value,
} from './values/values.js'

// Records are plain objects, so nothing that they inherit may look like an entry. `constructor` remains, because
// dict.ts needs it.
for (const name of Object.getOwnPropertyNames(Object.prototype)) {
  if (name !== 'constructor') delete (Object.prototype as unknown as Record<string, unknown>)[name]
}

// Generated code tests `(x | 0) === x`. For an object this must be false and must not call any of its methods. A
// function that ignores its parameter costs the least.
Object.defineProperty(Object.prototype, Symbol.toPrimitive, { value: () => Number.NaN })

answerMethodCalls(attributeOwners)

const helpers = {
  ...ahead,
  askTool,
  argumentText,
  asText,
  asData,
  decided,
  enterGuard,
  leaveGuard,
  started,
  stepping,
  suspended,
  TUPLE,
  SPREAD,
  ELLIPSIS,
  NONE,
  FIELDS,
  METHODS,
  OPEN,
  Array,
  Map,
  Object,
  imul: Math.imul,
  float,
  add,
  sub,
  mul,
  mulInt,
  trueDiv,
  floorDiv,
  matrixProduct,
  mod,
  power,
  andInt,
  bitAnd,
  bitOr,
  bitXor,
  shiftInt,
  shiftLeft,
  shiftRight,
  negate,
  positive,
  invert,
  addInPlace,
  subInPlace,
  mulInPlace,
  orInPlace,
  andInPlace,
  xorInPlace,
  equal,
  less,
  lessEqual,
  greater,
  greaterEqual,
  isIn,
  truth,
  makeSet: setOf,
  setAdd,
  dictOf,
  dictSet,
  tupleKey,
  dictDisplay,
  dictEntry,
  walk: python ? walkFresh : walk,
  iterate,
  iterable,
  generator,
  delegate,
  beginClass,
  finishClass,
  superOf,
  enterContext,
  leaveContext,
  leaveFailed,
  changeInPlace,
  annotated,
  describedAs,
  coroutine,
  awaiting,
  runAwaited,
  asyncIterable,
  enter,
  leave,
  sizeOf,
  sameSize,
  itemPairs,
  rangeBound,
  rangeStep,
  unpack,
  unpackStarred,
  index,
  locks,
  setField,
  setIndex,
  deleteIndex,
  slice,
  setSlice,
  deleteSlice,
  attribute,
  setAttribute,
  deleteAttribute,
  callAttribute,
  having,
  define,
  call,
  call0,
  call1,
  call2,
  call3,
  callNamed,
  starArguments,
  starNamed,
  beginCall,
  unassigned,
  str,
  repr,
  ascii: asciiText,
  percentD,
  readDecimal,
  formatValue,
  caught,
  matches,
  exceptionValue,
  raised,
  raisedByLibrary,
  nothingToRaise,
  noModule,
  assertionFailed,
  depth,
  handling,
  tooDeep,
  exited,
  isFatal,
  load,
  isMapping,
  isOf,
  mappingRest,
  matchAttribute,
  matchKey,
  matchKeys,
  matchNames,
  sequence,
}

/** What a test host adds: named values, and modules for `load`. */
interface Extension {
  readonly predeclared: Readonly<Record<string, Value>>
  readonly modules: Readonly<Record<string, Readonly<Record<string, Value>>>>
}
let extension: Extension = { predeclared: {}, modules: {} }

function load(module: string, name: string): Value {
  const members = extension.modules[module]
  const value = members?.[name]
  if (value === undefined)
    throw guestError(
      'ImportError',
      members === undefined
        ? said`cannot load ${spelled(module)}`
        : said`load: name ${asName(name)} not found in module ${spelled(module)}`,
    )
  return value
}

type Members = readonly (readonly string[])[]

/**
 * The modules that are compiled from Python's own sources. Each is a function of generated code that returns the
 * module's members.
 */
type Library = Readonly<Record<string, (api: Api) => Readonly<Record<string, Value | undefined>>>>

declare const STARBIND_LIBRARY: Library

const library: Record<string, Module> = {}

/** Evaluates the library when the image is made, so that no run has to. Each module finds those before it. */
function evaluateLibrary(): void {
  for (const [name, evaluate] of Object.entries(STARBIND_LIBRARY)) {
    const own = libraryModule(name)
    const dot = name.lastIndexOf('.')
    if (dot > 0) Object.assign(libraryModule(name.slice(0, dot)).$members, { [name.slice(dot + 1)]: own })
    const members = assignedIn(evaluate(api({})))
    for (const member of Object.values(members)) {
      const cls = classIn(member)
      if (cls?.$kind === 'program' && !Object.hasOwn(cls.$extras, 'module')) cls.$extras.module = name
    }
    Object.assign(own.$members, members)
  }
}

/** A module of the prelude or of the library. It may still be empty. */
function libraryModule(name: string): Module {
  const own = modules[name]
  if (own instanceof Module) return own
  library[name] ??= module(name, {})
  return library[name]
}

function assignedIn(members: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([, x]) => x !== undefined)) as Record<string, Value>
}

function api(foreign: Readonly<Record<string, Members>>) {
  const spaces: Record<string, Value> = {}
  for (const name of Object.keys(foreign)) spaces[name] = namespace(name, foreign[name]!)
  return {
    helpers,
    methodSymbol,
    builtin: (name: string): Value => builtins[name]!,
    module: (name: string): Value => modules[name] ?? library[name]!,
    predeclared: (name: string): Value => spaces[name] ?? extension.predeclared[name]!,
    float: (v: number): Value => float(v),
    big: (v: bigint): Value => normal(v),
    bytes: (b: number[]): Value => new Bytes(Uint8Array.from(b)),
  }
}

type Api = ReturnType<typeof api>

/** The inputs of a run (run-code.ts of the host). */
interface RunFacts {
  readonly waitsFor?: number
  readonly placesOf?: readonly string[]
  readonly now?: number
  readonly seed?: number
  readonly argv?: readonly string[]
  readonly stdin?: string
}

function $starbind(
  foreign: Readonly<Record<string, Members>>,
  program: (api: Api) => Value | undefined,
  reads: readonly string[],
  { waitsFor = 0, placesOf = [], now, seed, argv, stdin }: RunFacts = {},
): string {
  runAheadOf(reads)
  if (reads.length > 0) guardBoundaries()
  waitFor(waitsFor)
  tellPlacesOf(placesOf)
  beginAt(now)
  seedWith(seed)
  giveInput(argv, stdin)
  return start(api(foreign), program)
}

/** Adds a test host's values. `make` receives everything in the prelude. */
function extend(make: (prelude: typeof helpers & typeof insides) => Extension): void {
  extension = make({ ...helpers, ...insides })
}

/** True for builtins that generated code may call directly. Exceptions are created through their class. */
function isFunction(name: string, value: Value): boolean {
  return classIn(value)?.$kind !== 'exception' && name !== 'type' && name !== 'super'
}

/** The tables that the build writes for the compiler. */
function describe(): object {
  const samples: Value[] = [
    null,
    true,
    1,
    new Big(2n ** 64n),
    'x',
    [],
    new Map(),
    new Set(),
    new Float(1),
    new Bytes(new Uint8Array(0)),
    new Range(0, 1, 1),
  ]
  samples.push(guestError('ValueError', 'x'), builtins.len!, namespace('x', []), ...Object.values(modules))
  const functions: Record<string, object> = {}
  for (const [name, value] of Object.entries(builtins)) {
    if (!isCallable(value) || !isFunction(name, value)) continue
    const { n, parameters, positional, positionalOnly, required, argsSlot, kwargsSlot } = value.sig
    functions[name] = { n, parameters, positional, positionalOnly, required, argsSlot, kwargsSlot }
  }
  return {
    builtins: functions,
    names: [...Object.keys(builtins), ...Object.keys(modules), 'True', 'False', 'None'],
    methods: methodTable(),
    types: typeTable(),
    modules: Object.fromEntries(
      Object.entries(modules).map(([name, m]) => [name, Object.keys((m as unknown as { $members: object }).$members)]),
    ),
    ownNames: ownNames(samples),
  }
}

const insides = {
  GuestError,
  PROTOCOL,
  builtin,
  define,
  freeze,
  freezeAll,
  guestError,
  hostPrint,
  isFrozen,
  module,
  modules,
  nameClass,
  start,
  tuple,
  typeName,
}

evaluateLibrary()
Object.assign(globalThis, { $starbind })
const hooks = globalThis as unknown as {
  $starbindHooks?: (hooks: { extend: typeof extend; describe: typeof describe }) => void
}
hooks.$starbindHooks?.({ extend, describe })
delete hooks.$starbindHooks
