// Nothing that a model needs gets lost between schema and stub. Both are walked on their own into facts such as
// `filters.labels[]: str` and `filters.state?: "open"`, and the facts must be the same. The walk over schemas is
// written apart from the reader that makes stubs and knows only the keywords that the catalogues use.

import { describe, expect, it } from 'vitest'
import { bindServers, defaultDescriptionLength, serverStub } from '../../dist/bindings/index.js'
import type { Expression } from '../../dist/interpreter/syntax/nodes.js'
import { catalogues, noCatalogues } from './catalogue-files.js'
import { generic, members, readStub, type Stub, text } from './stub-reader.js'

/** Kinds and values by path; `?` and `!` at the end of a path say whether its key is optional or required. */
type Facts = Map<string, Set<string>>

function add(facts: Facts, path: string, fact: string): void {
  facts.set(path, (facts.get(path) ?? new Set()).add(fact))
}

/** Values of a kind say nothing beside the kind, and nothing says anything beside Any. */
function settled(facts: Facts): Record<string, string[]> {
  const kinds: Record<string, RegExp> = { str: /^"/, bool: /^(True|False)$/, int: /^-?\d+$/, float: /^-?\d+\.\d+$/ }
  const entries = [...facts].map(([path, found]) => {
    const kept = [...found].filter(
      (fact) => !Object.entries(kinds).some(([kind, value]) => found.has(kind) && value.test(fact)),
    )
    if (found.has('True') && found.has('False'))
      return [path, [...kept.filter((fact) => !/^(True|False)$/.test(fact)), 'bool'].sort()]
    return [path, (found.has('Any') ? ['Any'] : kept).sort()]
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a! < b! ? -1 : 1)))
}

const KEYWORDS = new Set(
  (
    'type properties required enum const items anyOf oneOf additionalProperties propertyNames description default title $schema format pattern ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems minLength maxLength'
  ).split(' '),
)

type Schema = Readonly<Record<string, unknown>>

function schemaFacts(raw: unknown, path: string, facts: Facts): void {
  if (raw === true || raw === undefined) return add(facts, path, 'Any')
  if (raw === false) return add(facts, path, 'Never')
  const schema = raw as Schema
  const strange = Object.keys(schema).filter((key) => !KEYWORDS.has(key))
  if (strange.length > 0) throw new Error(`${path}: this test knows nothing of ${strange}`)
  const values = 'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined)
  if (values !== undefined) {
    for (const value of values) add(facts, path, literal(value))
    return
  }
  const branches = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined
  if (branches !== undefined) {
    for (const branch of branches) schemaFacts(branch, path, facts)
    return
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  for (const type of types) typeFacts(type, schema, path, facts)
}

function typeFacts(type: unknown, schema: Schema, path: string, facts: Facts): void {
  const plain: Record<string, string> = {
    string: 'str',
    number: 'float',
    integer: 'int',
    boolean: 'bool',
    null: 'None',
  }
  if (type === undefined) add(facts, path, 'Any')
  else if (type === 'array') {
    add(facts, path, 'list')
    schemaFacts(schema.items, `${path}[]`, facts)
  } else if (type === 'object') {
    add(facts, path, 'dict')
    const properties = Object.entries((schema.properties ?? {}) as Schema)
    const required = (schema.required ?? []) as string[]
    if (properties.length === 0) schemaFacts(schema.additionalProperties, `${path}{}`, facts)
    for (const [key, inner] of properties) {
      add(facts, `${path}.${key}`, required.includes(key) ? '!' : '?')
      schemaFacts(inner, `${path}.${key}`, facts)
    }
  } else add(facts, path, plain[String(type)]!)
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function stubFacts(type: Expression, path: string, stub: Stub, facts: Facts): void {
  for (const member of members(type)) {
    const made = generic(member)
    if (made?.name === 'Literal') for (const value of made.of) add(facts, path, text(value))
    else if (made?.name === 'list') {
      add(facts, path, 'list')
      stubFacts(made.of[0]!, `${path}[]`, stub, facts)
    } else if (made?.name === 'dict') {
      add(facts, path, 'dict')
      stubFacts(made.of[1]!, `${path}{}`, stub, facts)
    } else {
      const record = stub.records.get(text(member))
      if (record === undefined) add(facts, path, text(member))
      else {
        add(facts, path, 'dict')
        for (const field of record) {
          add(facts, `${path}.${field.name}`, field.required ? '!' : '?')
          stubFacts(field.type, `${path}.${field.name}`, stub, facts)
        }
      }
    }
  }
}

describe.skipIf(noCatalogues)(`stubs of the saved catalogues${noCatalogues ? ` (${noCatalogues})` : ''}`, () => {
  const bindings = noCatalogues ? bindServers([]) : bindServers(catalogues())

  it.each(bindings.servers.map((server) => [server.source.name, server] as const))(
    'have every name, requirement, type and value of %s',
    (_, server) => {
      const stub = readStub(serverStub(server, { descriptionLength: defaultDescriptionLength }))
      let compared = 0
      for (const { name, tool, signature } of server.tools) {
        const shown = stub.functions.get(name)!
        const [wanted, got]: [Facts, Facts] = [new Map(), new Map()]
        const input = tool.inputSchema as Schema
        schemaFacts({ ...input, type: 'object', properties: input.properties ?? {} }, name, wanted)
        wanted.delete(name)
        wanted.delete(`${name}{}`)
        const keys = new Map(signature.parameters.map((parameter) => [parameter.name, parameter.key]))
        for (const { name: guest, required, type } of shown.parameters) {
          add(got, `${name}.${keys.get(guest)}`, required ? '!' : '?')
          stubFacts(type, `${name}.${keys.get(guest)}`, stub, got)
        }
        if (tool.outputSchema !== undefined) {
          schemaFacts(tool.outputSchema, `${name}()`, wanted)
          stubFacts(shown.returns, `${name}()`, stub, got)
        }
        expect(settled(got)).toEqual(settled(wanted))
        compared += wanted.size
      }
      expect(compared).toBeGreaterThan(0)
    },
  )

  it('have the required parameters first, each group in the order of the schema', () => {
    for (const server of bindings.servers)
      for (const { tool, signature } of server.tools) {
        const { properties = {}, required = [] } = tool.inputSchema as { properties?: object; required?: string[] }
        const keys = Object.keys(properties)
        const wanted = [
          ...keys.filter((key) => required.includes(key)),
          ...keys.filter((key) => !required.includes(key)),
        ]
        expect(signature.parameters.map((parameter) => parameter.key)).toEqual(wanted)
      }
  })
})
