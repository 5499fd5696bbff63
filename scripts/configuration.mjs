// Writes the generated parts of docs/configuration.md and starbind.schema.json from the schemas of
// src/gateway/configuration and the comments of the interfaces beside them. `node scripts/configuration.mjs` writes
// both; a test compares them.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const source = (file) => readFileSync(path.join(root, 'src', 'gateway', file), 'utf8')

/** The interface that describes the keys at a place; `*` stands for any name. */
const INTERFACES = {
  'mcpServers.*': ['configuration/configuration.ts', 'ServerEntry'],
  'mcpServers.*.oauth': ['configuration/configuration.ts', 'OAuthSettings'],
  'mcpServers.*.tools.*': ['configuration/configuration.ts', 'ToolConfig'],
  codeMode: ['configuration/configuration.ts', 'CodeModeEntry'],
  'codeMode.answer': ['configuration/configuration.ts', 'AnswerEntry'],
  'codeMode.stubs': ['configuration/configuration.ts', 'StubSettings'],
  'codeMode.results': ['configuration/configuration.ts', 'ResultSettings'],
  serve: ['configuration/serving.ts', 'ServeSettings'],
  'serve.callers.*': ['configuration/serving.ts', 'CallerEntry'],
  'serve.rateLimits.*': ['configuration/serving.ts', 'RateLimitEntry'],
  'serve.authorization': ['configuration/serving.ts', 'AuthorizationSettings'],
  'serve.audit': ['configuration/serving.ts', 'AuditSettings'],
  'models.*': ['configuration/models.ts', 'ModelEntry'],
  'agents.*': ['configuration/agents.ts', 'AgentEntry'],
}

/** The comments of an interface's keys, including inherited ones. */
function meaningsOf([file, name]) {
  const text = source(file)
  const start = text.indexOf(`export interface ${name} `)
  if (start < 0) throw new Error(`there is no interface ${name} in ${file}`)
  const body = text.slice(start, text.indexOf('\n}\n', start))
  const own = Object.fromEntries(
    [...body.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(?:\/\/[^\n]*\n\s*)*readonly (\w+)\??:/g)].map(([, words, key]) => [
      key,
      words
        .replace(/\n\s*\*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ]),
  )
  const [, parent] = /extends (FilterEntry|CodeModeSettings)/.exec(body) ?? []
  if (parent === undefined) return own
  return { ...meaningsOf([parent === 'FilterEntry' ? 'filter.ts' : file, parent]), ...own }
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
  describeWithin(schema, [], limitMeaning)
  return schema
}

function describeWithin(schema, place, limitMeaning) {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.items !== undefined) describeWithin(schema.items, [...place, '*'], limitMeaning)
  if (typeof schema.additionalProperties === 'object')
    describeWithin(schema.additionalProperties, [...place, '*'], limitMeaning)
  if (schema.properties === undefined) return
  const here = place.join('.')
  const meanings = here === '' ? TOP : here === 'codeMode.limits' ? {} : meaningsOf(INTERFACES[here] ?? [])
  for (const [key, inner] of Object.entries(schema.properties)) {
    const meaning = here === 'codeMode.limits' ? `How long or how much: a run may ${limitMeaning(key)}.` : meanings[key]
    if (meaning === undefined) throw new Error(`nothing says what ${[...place, key].join('.')} means`)
    inner.description = meaning.replace(/^How long or how much: a run may /, 'A run may ')
    describeWithin(inner, [...place, key], limitMeaning)
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
