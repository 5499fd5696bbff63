// Records the result types of tools without an output schema, and wrong output schemas.
// Invariant: memory is bounded, and values are not kept, unless enumerations are requested.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonSchema, Tool } from './tool.js'

export interface ObservationOptions {
  /** The number of different texts of a place to keep as an enumeration. Default 0: no values are kept. */
  readonly enumerations?: number
}

type Scalar = 'null' | 'boolean' | 'integer' | 'number' | 'string'

/** All values seen at one place. */
interface Shape {
  scalars: Scalar[]
  /** The different texts; undefined if there were too many or none are kept. */
  texts?: string[] | undefined
  object?: ObjectShape
  /** The elements of arrays; `seen` counts arrays. */
  array?: { seen: number; items?: Shape }
}

interface ObjectShape {
  /** The number of objects. */
  seen: number
  keys: Record<string, { seen: number; shape: Shape }>
  /** The common shape of all values, if the keys are data. */
  values?: Shape
}

interface ToolShape {
  calls: number
  /** The number of calls since the last new shape. */
  quiet: number
  shape: Shape
}

const MAX_DEPTH = 8
const MAX_KEYS = 60
const MAX_ITEMS = 50
const MAX_PLACES = 5_000
const MAX_QUIET = 25
/** A first answer may be an exception: "nothing found" from a tool that answers data. */
const MIN_TEXTS = 5
const MAX_TOOLS = 5_000
const MAX_REPLY = 2_000_000

const savedShape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    scalars: z.array(z.enum(['null', 'boolean', 'integer', 'number', 'string'])).max(5),
    texts: z.array(z.string()).max(100).optional(),
    object: savedObject.optional(),
    array: z.object({ seen: z.number(), items: savedShape.optional() }).optional() as z.ZodType<Shape['array']>,
  }),
) as z.ZodType<Shape>

const savedObject = z.object({
  seen: z.number(),
  keys: z.record(z.string(), z.object({ seen: z.number(), shape: savedShape })),
  values: savedShape.optional(),
}) as z.ZodType<ObjectShape>

const saved = z.object({
  version: z.literal(1),
  tools: z
    .array(z.object({ server: z.string(), tool: z.string(), calls: z.number(), shape: savedShape }))
    .max(MAX_TOOLS),
  distrusted: z.array(z.string().max(1_000)).max(MAX_TOOLS).optional(),
})

export class Observations {
  readonly #tools = new Map<string, ToolShape>()
  readonly #versions = new Map<string, number>()
  readonly #schemas = new Map<string, { readonly version: number; readonly schema: JsonSchema }>()
  /** Tools that have violated their output schema, each with the schema. */
  readonly #distrusted = new Set<string>()
  readonly #enumerations: number

  constructor(options: ObservationOptions = {}) {
    this.#enumerations = options.enumerations ?? 0
  }

  /** Changes with every new shape of a tool of the server. */
  version(server: string): number {
    return this.#versions.get(server) ?? 0
  }

  /**
   * Learns from a successful reply of a tool: its letter and text. Results of tools that declare theirs need not be
   * shown.
   */
  learn(server: string, tool: string, reply: string): void {
    const known = this.#tools.get(keyOf(server, tool))
    if ((known && known.quiet >= MAX_QUIET) || reply.length > MAX_REPLY) return
    if (known === undefined && this.#tools.size >= MAX_TOOLS) return
    const shape = known?.shape ?? emptyShape()
    const before = JSON.stringify(schemaOf(shape))
    const wasText = this.isJsonText(server, tool)
    const value: unknown = /^[JDU]/.test(reply) ? JSON.parse(reply.slice(1)) : reply.slice(1)
    new Folder(this.#enumerations).fold(shape, value, 0)
    const learnt: ToolShape = { calls: (known?.calls ?? 0) + 1, quiet: 0, shape }
    this.#tools.set(keyOf(server, tool), learnt)
    const isSame = JSON.stringify(schemaOf(shape)) === before && this.isJsonText(server, tool) === wasText
    const news = known === undefined || !isSame
    if (!news) learnt.quiet = known.quiet + 1
    if (news) this.#versions.set(server, this.version(server) + 1)
  }

  /**
   * A schema of the tool's results so far, the same object until the version changes; undefined before the first call.
   */
  schemaOf(server: string, tool: string): JsonSchema | undefined {
    const key = keyOf(server, tool)
    const known = this.#tools.get(key)
    if (known === undefined) return undefined
    const version = this.version(server)
    const made = this.#schemas.get(key)
    if (made?.version === version) return made.schema
    const schema = schemaOf(known.shape)
    this.#schemas.set(key, { version, schema })
    return schema
  }

  /**
   * The kind of all answers of the tool so far, as its stub shows. `text`: repeatedly text that is not JSON data; then
   * its JSON is a text like the others. `data`: JSON data.
   */
  answersOf(server: string, tool: string): 'text' | 'data' | undefined {
    const known = this.#tools.get(keyOf(server, tool))
    if (known === undefined) return undefined
    const { scalars, object, array } = known.shape
    if (object !== undefined || array !== undefined) return scalars.length === 0 ? 'data' : undefined
    return scalars.length === 1 && scalars[0] === 'string' && known.calls >= MIN_TEXTS ? 'text' : undefined
  }

  /** True if the tool has returned texts, some of them JSON data: a tool may sometimes answer "nothing found". */
  isJsonText(server: string, tool: string): boolean {
    const known = this.#tools.get(keyOf(server, tool))
    if (known?.shape.scalars.join() !== 'string') return false
    const data = (known.shape.object?.seen ?? 0) + (known.shape.array?.seen ?? 0)
    return data > 0 && data * 2 < known.calls
  }

  /** Records that the tool has violated its output schema. The schema is ignored until the tool has another one. */
  distrust(server: string, tool: Tool): void {
    if (this.#distrusted.size < MAX_TOOLS) this.#distrusted.add(schemaKeyOf(server, tool))
  }

  get distrustsAny(): boolean {
    return this.#distrusted.size > 0
  }

  isDistrusted(server: string, tool: Tool): boolean {
    return this.#distrusted.size > 0 && this.#distrusted.has(schemaKeyOf(server, tool))
  }

  /** All observations, for a cache file. */
  toJSON(): unknown {
    return { version: 1, ...this.#distrustedOnly(), tools: this.#toolsOf() }
  }

  /** The servers with observations. */
  get servers(): readonly string[] {
    return [...this.#versions.keys()]
  }

  /** The number of tools that have violated their output schema. */
  get distrustedCount(): number {
    return this.#distrusted.size
  }

  /** What other processes learn about a server; without one, the tools that have violated their output schema. */
  partOf(server: string | undefined): unknown {
    return server === undefined
      ? { version: 1, ...this.#distrustedOnly(), tools: [] }
      : { version: 1, tools: this.#toolsOf(server) }
  }

  #distrustedOnly(): { readonly distrusted?: readonly string[] } {
    return this.#distrusted.size === 0 ? {} : { distrusted: [...this.#distrusted].sort() }
  }

  #toolsOf(wanted?: string): unknown[] {
    const tools = [...this.#tools].sort(([a], [b]) => (a < b ? -1 : 1))
    return tools.flatMap(([key, { calls, shape }]) => {
      const [server, tool] = JSON.parse(key) as [string, string]
      return wanted === undefined || wanted === server ? [{ server, tool, calls, shape }] : []
    })
  }

  /**
   * Adds the observations of another process to those of this one. To do so again changes nothing. False, without a
   * change, for anything else.
   */
  merge(raw: unknown): boolean {
    const parsed = saved.safeParse(raw)
    if (!parsed.success) return false
    for (const key of parsed.data.distrusted ?? []) if (this.#distrusted.size < MAX_TOOLS) this.#distrusted.add(key)
    for (const { server, tool, calls, shape } of parsed.data.tools) {
      const key = keyOf(server, tool)
      const known = this.#tools.get(key)
      if (known === undefined && this.#tools.size >= MAX_TOOLS) continue
      const both = known === undefined ? shape : joinedShapes(known.shape, shape, this.#enumerations)
      if (known !== undefined && known.calls >= calls && JSON.stringify(both) === JSON.stringify(known.shape)) continue
      this.#tools.set(key, { calls: Math.max(known?.calls ?? 0, calls), quiet: known?.quiet ?? 0, shape: both })
      this.#versions.set(server, this.version(server) + 1)
    }
    return true
  }

  /** Restores the output of `toJSON`; false, without a change, for anything else. */
  restore(raw: unknown): boolean {
    const parsed = saved.safeParse(raw)
    if (!parsed.success) return false
    for (const key of parsed.data.distrusted ?? []) this.#distrusted.add(key)
    for (const { server, tool, calls, shape } of parsed.data.tools) {
      this.#tools.set(keyOf(server, tool), { calls, quiet: 0, shape })
      this.#versions.set(server, this.version(server) + 1)
    }
    return true
  }
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool])
}

function schemaKeyOf(server: string, { name, outputSchema }: Tool): string {
  return createHash('sha256')
    .update(JSON.stringify([server, name, outputSchema]))
    .digest('hex')
}

function emptyShape(): Shape {
  return { scalars: [] }
}

class Folder {
  readonly #enumerations: number
  #places = 0

  constructor(enumerations: number) {
    this.#enumerations = enumerations
  }

  fold(shape: Shape, value: unknown, depth: number): void {
    if (++this.#places > MAX_PLACES || depth > MAX_DEPTH) return
    if (Array.isArray(value)) this.#foldArray(shape, value, depth)
    else if (typeof value === 'object' && value !== null) this.#foldObject(shape, value, depth)
    else this.#foldScalar(shape, value)
  }

  #foldScalar(shape: Shape, value: unknown): void {
    const kind = scalarOf(value)
    if (!shape.scalars.includes(kind)) {
      shape.scalars = [...shape.scalars, kind].sort()
      if (kind === 'string' && this.#enumerations > 0) shape.texts = []
    }
    if (kind !== 'string' || shape.texts === undefined) return
    const text = value as string
    if (!shape.texts.includes(text)) shape.texts = [...shape.texts, text].sort()
    if (shape.texts.length > this.#enumerations || text.length > 40) shape.texts = undefined
  }

  #foldArray(shape: Shape, values: readonly unknown[], depth: number): void {
    shape.array ??= { seen: 0 }
    shape.array.seen++
    const step = Math.max(1, Math.ceil(values.length / MAX_ITEMS))
    for (let i = 0; i < values.length; i += step) {
      shape.array.items ??= emptyShape()
      this.fold(shape.array.items, values[i], depth + 1)
    }
  }

  #foldObject(shape: Shape, value: object, depth: number): void {
    const entries = Object.entries(value)
    shape.object ??= { seen: 0, keys: {} }
    const object = shape.object
    object.seen++
    if (object.values === undefined && hasDataKeys(entries, object)) {
      object.values = emptyShape()
      for (const known of Object.values(object.keys)) mergeShapes(object.values, known.shape)
      object.keys = {}
    }
    for (const [key, inner] of entries) {
      if (object.values !== undefined) {
        this.fold(object.values, inner, depth + 1)
        continue
      }
      const known = Object.hasOwn(object.keys, key) ? object.keys[key]! : { seen: 0, shape: emptyShape() }
      known.seen++
      this.fold(known.shape, inner, depth + 1)
      Object.defineProperty(object.keys, key, { value: known, enumerable: true, configurable: true, writable: true })
    }
  }
}

/** Keys that are data (ids, paths, addresses, numbers) and not names: they identify no field, and they are values. */
function hasDataKeys(entries: readonly [string, unknown][], object: ObjectShape): boolean {
  const keys = entries.map(([key]) => key)
  const all = new Set([...Object.keys(object.keys), ...keys])
  if (all.size > MAX_KEYS) return true
  const odd = keys.filter(
    (key) =>
      !/^[\p{L}_$@][\p{L}\p{N}_$@.:-]{0,63}$/u.test(key) || /@.+\.|^[0-9a-f-]{20,}$/i.test(key) || /\d{4,}/.test(key),
  )
  return odd.length > 0 && odd.length * 2 > keys.length
}

function mergeShapes(into: Shape, from: Shape): void {
  into.scalars = [...new Set([...into.scalars, ...from.scalars])].sort()
  if (from.array) {
    into.array ??= { seen: 0 }
    into.array.seen += from.array.seen
    if (from.array.items) {
      into.array.items ??= emptyShape()
      mergeShapes(into.array.items, from.array.items)
    }
  }
  if (!from.object) return
  into.object ??= { seen: 0, keys: {} }
  into.object.seen += from.object.seen
  for (const [key, { seen, shape }] of Object.entries(from.object.keys)) {
    const known = Object.hasOwn(into.object.keys, key) ? into.object.keys[key]! : { seen: 0, shape: emptyShape() }
    known.seen += seen
    mergeShapes(known.shape, shape)
    Object.defineProperty(into.object.keys, key, { value: known, enumerable: true, configurable: true, writable: true })
  }
}

/**
 * What two processes have seen of one place. Neither knows how many values both have seen, so numbers are not added; what
 * counts is that a key is in every object, or is not.
 */
function joinedShapes(one: Shape, other: Shape, mostTexts: number): Shape {
  const scalars = [...new Set([...one.scalars, ...other.scalars])].sort()
  const texts = joinedTexts(one, other, mostTexts)
  const object = one.object && other.object ? joinedObjects(one.object, other.object, mostTexts) : one.object
  const array = joinedArrays(one.array, other.array, mostTexts)
  return {
    scalars,
    ...(texts === undefined ? {} : { texts }),
    ...((object ?? other.object) ? { object: (object ?? other.object)! } : {}),
    ...(array === undefined ? {} : { array }),
  }
}

function joinedTexts(one: Shape, other: Shape, most: number): string[] | undefined {
  if (!one.scalars.includes('string')) return other.texts
  if (!other.scalars.includes('string')) return one.texts
  if (one.texts === undefined || other.texts === undefined) return undefined
  const all = [...new Set([...one.texts, ...other.texts])].sort()
  return all.length > most ? undefined : all
}

function joinedArrays(one: Shape['array'], other: Shape['array'], mostTexts: number): Shape['array'] {
  if (one === undefined || other === undefined) return one ?? other
  const items = one.items && other.items ? joinedShapes(one.items, other.items, mostTexts) : (one.items ?? other.items)
  return { seen: Math.max(one.seen, other.seen), ...(items === undefined ? {} : { items }) }
}

function joinedObjects(one: ObjectShape, other: ObjectShape, mostTexts: number): ObjectShape {
  const seen = Math.max(one.seen, other.seen)
  const names = new Set([...Object.keys(one.keys), ...Object.keys(other.keys)])
  if (one.values !== undefined || other.values !== undefined || names.size > MAX_KEYS) {
    const shapes = [one, other].flatMap(({ keys, values }) => [
      ...(values === undefined ? [] : [values]),
      ...Object.values(keys).map(({ shape }) => shape),
    ])
    return { seen, keys: {}, values: shapes.reduce((all, shape) => joinedShapes(all, shape, mostTexts), emptyShape()) }
  }
  const keys = [...names].map((name) => {
    const [here, there] = [one, other].map(({ keys }) => (Object.hasOwn(keys, name) ? keys[name] : undefined))
    const isAlways = here?.seen === one.seen && there?.seen === other.seen
    const shape = here && there ? joinedShapes(here.shape, there.shape, mostTexts) : (here ?? there)!.shape
    return [
      name,
      { seen: isAlways ? seen : Math.min(Math.max(here?.seen ?? 0, there?.seen ?? 0), seen - 1), shape },
    ] as const
  })
  return { seen, keys: Object.fromEntries(keys) }
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'number') return 'null'
  return Number.isInteger(value) ? 'integer' : 'number'
}

function schemaOf(shape: Shape): JsonSchema {
  const parts: JsonSchema[] = shape.scalars
    .filter((kind) => kind !== 'null' && !(kind === 'integer' && shape.scalars.includes('number')))
    .map((kind) =>
      kind === 'string' && shape.texts && shape.texts.length > 0 ? { enum: shape.texts } : { type: kind },
    )
  if (shape.object) parts.push(objectSchema(shape.object))
  if (shape.array) parts.push({ type: 'array', ...(shape.array.items ? { items: schemaOf(shape.array.items) } : {}) })
  if (shape.scalars.includes('null')) parts.push({ type: 'null' })
  if (parts.length === 0) return {}
  return parts.length === 1 ? parts[0]! : { anyOf: parts }
}

function objectSchema(object: ObjectShape): JsonSchema {
  if (object.values) return { type: 'object', additionalProperties: schemaOf(object.values) }
  const keys = Object.keys(object.keys)
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, schemaOf(object.keys[key]!.shape)])),
    required: keys.filter((key) => object.keys[key]!.seen === object.seen),
  }
}
