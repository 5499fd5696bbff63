// The HTTP interface as an OpenAPI 3.1 document, made of the operations and their schemas.

import { z } from 'zod'
import * as shapes from './interface.js'
import { type Operation, operations } from './operations.js'

export function openApi(version: string): object {
  const named = new Map<z.ZodType, string>(
    Object.entries<z.ZodType>(shapes)
      .filter(([, schema]) => schema instanceof z.ZodObject || schema instanceof z.ZodUnion)
      .map(([name, schema]) => [schema, `${name[0]!.toUpperCase()}${name.slice(1)}`]),
  )
  const content = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: named.has(schema) ? refTo(named.get(schema)!) : jsonSchema(schema, io) },
  })
  const paths: Record<string, Record<string, object>> = {}
  for (const [operationId, operation] of Object.entries<Operation>(operations)) {
    const item = (paths[`/api/v1/${operation.path}`] ??= {})
    item[operation.method.toLowerCase()] = operationOf(operationId, operation, content)
  }
  const bodies = new Set(Object.values<Operation>(operations).map(({ body }) => body))
  const schemas = Object.fromEntries(
    [...named].map(([schema, name]) => [name, jsonSchema(schema, bodies.has(schema) ? 'input' : 'output')]),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'starbind', version, description: 'What a page for people shows: see docs/http-api.md.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key whose entry says page: true.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'starbind-PORT',
          description: 'With the header X-Starbind-Token for changes.',
        },
      },
    },
    security: [{ key: [] }, { cookie: [] }],
  }
}

type ContentOf = (schema: z.ZodType, io: 'input' | 'output') => object

function operationOf(operationId: string, operation: Operation, content: ContentOf): object {
  const { summary, path, query, body, status, isOpen } = operation
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(schema as z.ZodType, 'input'),
  }))
  const failed = { description: 'A refusal.', content: content(shapes.failure, 'output') }
  return {
    operationId,
    summary,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body, 'input') } }),
    responses: { [status]: answerOf(operation, content), '4XX': failed, '5XX': failed },
    ...(isOpen === true ? { security: [] } : {}),
  }
}

function answerOf({ summary, answer, events, status }: Operation, content: ContentOf): object {
  const description = status === 204 ? 'Done.' : summary
  if (events !== undefined) {
    const schema = { type: 'string', description: 'Server-sent events; each data line is of the schema in x-event.' }
    return { description, content: { 'text/event-stream': { schema } }, 'x-event': content(events, 'output') }
  }
  if (answer === undefined) return { description }
  if (answer === 'application/json') return { description, content: { [answer]: { schema: { type: 'object' } } } }
  if (typeof answer === 'string') return { description, content: { [answer]: { schema: { type: 'string' } } } }
  return { description, content: content(answer, 'output') }
}

function refTo(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' })
  return rest
}
