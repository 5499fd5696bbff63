// Writes the generated parts of docs/configuration.md and starbind.schema.json from the schemas of
// src/gateway/configuration and the comments of their keys, which the build's declarations have. Run it after a build;
// a test compares both.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The declared type of the keys at a place; `*` stands for any name. */
const TYPES = {
  'mcpServers.*': ['shape', 'ServerEntry'],
  'mcpServers.*.oauth': ['shape', 'OAuthSettings'],
  'mcpServers.*.tools.*': ['shape', 'ToolConfig'],
  codeMode: ['shape', 'CodeModeEntry'],
  'codeMode.answer': ['shape', 'AnswerEntry'],
  'codeMode.stubs': ['shape', 'StubSettings'],
  'codeMode.results': ['shape', 'ResultSettings'],
  'codeMode.stateBucket': ['shape', 'BucketSettings'],
  serve: ['serving', 'ServeSettings'],
  'serve.callers.*': ['serving', 'CallerEntry'],
  'serve.rateLimits.*': ['serving', 'RateLimitEntry'],
  'serve.authorization': ['serving', 'AuthorizationSettings'],
  'serve.audit': ['serving', 'AuditSettings'],
  'models.*': ['models', 'ModelEntry'],
  'agents.*': ['agents', 'AgentEntry'],
}

/** The comments of a type's keys, including inherited ones. */
function meaningsOf(dist, [file, name]) {
  const text = readFileSync(path.join(dist, 'gateway/configuration', `${file}.d.ts`), 'utf8')
  const [, parent] = new RegExp(`export interface ${name} extends (\\w+) \\{`).exec(text) ?? []
  const inherited =
    parent === undefined ? {} : meaningsOf(dist, [parent === 'FilterEntry' ? '../filter' : file, parent])
  const start = text.indexOf(`export interface ${name} `)
  if (start < 0) throw new Error(`there is no type ${name} in ${file}`)
  const body = text.slice(start, text.indexOf('\n}', start))
  const comments = body.matchAll(/\/\*\*([\s\S]*?)\*\/\s*readonly (\w+)\??:/g)
  const own = [...comments].map(([, words, key]) => [
    key,
    words
      .replace(/\n\s*\*|\s+/g, ' ')
      .replace(/ +/g, ' ')
      .trim(),
  ])
  return { ...inherited, ...Object.fromEntries(own) }
}

const TOP = {
  $schema: 'For editors: this schema.',
  include: 'Files, or folders of `*.json` files, whose servers belong to this configuration; relative to this file.',
  envFile:
    'A file with lines of `NAME=value` for the references in its entries, relative to this file. The environment wins over it.',
  mcpServers: 'The servers, by the names that programs use for them.',
  codeMode: 'How programs run and how answers are written.',
  serve: 'What callers of `starbind serve` get, and who may connect.',
  models: "Models behind APIs in OpenAI's format, by the names that people use for them.",
  agents: 'Agents that programs and models call as tools of a server `agents`, by their names.',
}

/** The JSON Schema of a configuration file, with the meaning of each key. */
export async function configurationSchema(dist) {
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href)
  const { configurationEntry } = await load('gateway/configuration/shape.js')
  const { limitMeaning } = await load('sandbox/limits.js')
  const schema = z.toJSONSchema(configurationEntry, { unrepresentable: 'any', io: 'input' })
  delete schema.properties.mcpServers.additionalProperties.properties.inProcess
  schema.properties.include = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
  schema.properties.envFile = { type: 'string' }
  schema.title = 'starbind'
  describeWithin(schema, [], { dist, limitMeaning })
  return schema
}

function describeWithin(schema, place, from) {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.items !== undefined) describeWithin(schema.items, [...place, '*'], from)
  if (typeof schema.additionalProperties === 'object')
    describeWithin(schema.additionalProperties, [...place, '*'], from)
  if (schema.properties === undefined) return
  const here = place.join('.')
  const meanings = here === '' ? TOP : here === 'codeMode.limits' ? {} : meaningsOf(from.dist, TYPES[here] ?? [])
  for (const [key, inner] of Object.entries(schema.properties)) {
    const meaning =
      here === 'codeMode.limits' ? `How long or how much: a run may ${from.limitMeaning(key)}.` : meanings[key]
    if (meaning === undefined) throw new Error(`nothing says what ${[...place, key].join('.')} means`)
    inner.description = meaning.replace(/^How long or how much: a run may /, 'A run may ')
    describeWithin(inner, [...place, key], from)
  }
}

/** The document with new generated parts, which are between `<!-- keys: PLACE -->` and `<!-- end -->`. */
export async function configurationDocument(dist, document) {
  const schema = await configurationSchema(dist)
  const { variables } = await import(pathToFileURL(path.join(dist, 'gateway/configuration/variables.js')).href)
  return document
    .replace(/<!-- keys: (\S+) -->\n[\s\S]*?<!-- end -->/g, (_, place) => {
      return `<!-- keys: ${place} -->\n${keyTable(schemaAt(schema, place))}\n<!-- end -->`
    })
    .replace(
      /<!-- variables -->\n[\s\S]*?<!-- end -->/g,
      `<!-- variables -->\n${variableTable(variables)}\n<!-- end -->`,
    )
}

function schemaAt(schema, place) {
  const parts = place === '.' ? [] : place.split('.')
  return parts.reduce(
    (at, part) => (part === '*' ? (at.items ?? at.additionalProperties) : at.properties[part]),
    schema,
  )
}

function keyTable(schema) {
  const rows = Object.entries(schema.properties).map(
    ([key, inner]) => `| \`${key}\` | ${typeOf(inner)} | ${cell(inner.description)} |`,
  )
  return ['| key | value | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function variableTable(variables) {
  const rows = variables.map(({ name, key, kind }) => `| \`${name}\` | \`${key.join('.')}\` | ${kind} |`)
  return ['| variable | key | value |', '| --- | --- | --- |', ...rows].join('\n')
}

function typeOf(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  switch (schema.type) {
    case 'boolean':
      return 'true or false'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return schema.items.type === 'object' ? 'list of objects' : 'list of texts'
    case 'string':
      return 'text'
    default:
      return 'object'
  }
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = path.join(root, 'dist')
  const file = path.join(root, 'docs', 'configuration.md')
  writeFileSync(file, await configurationDocument(dist, readFileSync(file, 'utf8')))
  writeFileSync(
    path.join(root, 'starbind.schema.json'),
    `${JSON.stringify(await configurationSchema(dist), null, 2)}\n`,
  )
}
