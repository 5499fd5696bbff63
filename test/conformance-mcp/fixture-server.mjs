// An upstream with the names that the published MCP conformance suite expects, over stdio: whatever the suite asks of a server, asked through the gateway.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words) => ({ type: 'text', text: words })
const image = { type: 'image', data: png, mimeType: 'image/png' }
const embedded = (uri, words) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } })
const none = { type: 'object', properties: {} }
const oneText = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
const choices = (...values) => values.map((value, i) => ({ const: value, title: `Choice ${i + 1}` }))

const asked = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: choices('value1', 'value2', 'value3') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: choices('value1', 'value2', 'value3') } },
  },
}

/** Each tool: its arguments and what it answers. `ask` and `tell` go to the caller. */
const tools = {
  test_simple_text: [none, () => [text('This is a simple text response for testing.')]],
  test_image_content: [none, () => [image]],
  test_audio_content: [none, () => [{ type: 'audio', data: wav, mimeType: 'audio/wav' }]],
  test_embedded_resource: [none, () => [embedded('test://embedded-resource', 'This is an embedded resource content.')]],
  test_multiple_content_types: [
    none,
    () => [text('Multiple content types test:'), image, embedded('test://mixed-content-resource', '{"test":"data"}')],
  ],
  test_tool_with_logging: [
    none,
    async (_, { tell }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await tell('notifications/message', { level: 'info', logger: 'fixture', data })
      return [text('Tool with logging executed')]
    },
  ],
  test_tool_with_progress: [
    none,
    async (_, { tell, progressToken }) => {
      for (const progress of [0, 50, 100])
        await tell('notifications/progress', { progressToken, progress, total: 100, message: `${progress} of 100` })
      return [text('done')]
    },
  ],
  test_error_handling: [
    none,
    () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  ],
  test_sampling: [
    oneText('prompt'),
    async ({ prompt }, { ask }) => {
      const params = { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 }
      const { content } = await ask('sampling/createMessage', params, CreateMessageResultSchema)
      return [text(`LLM response: ${content.text}`)]
    },
  ],
  test_elicitation: [
    oneText('message'),
    async ({ message }, { ask }) => {
      const properties = { username: { type: 'string' }, email: { type: 'string' } }
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] }
      const { action, content } = await ask('elicitation/create', { message, requestedSchema }, ElicitResultSchema)
      return [text(`User response: action=${action}, content=${JSON.stringify(content)}`)]
    },
  ],
  ...Object.fromEntries(
    Object.entries(asked).map(([name, properties]) => [
      name,
      [
        none,
        async (_, { ask }) => {
          const params = { message: 'Please fill this in', requestedSchema: { type: 'object', properties } }
          const { action, content } = await ask('elicitation/create', params, ElicitResultSchema)
          return [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)]
        },
      ],
    ]),
  ),
  json_schema_2020_12_tool: [
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
      if: { required: ['address'] },
      then: { required: ['name'] },
      else: {},
      additionalProperties: false,
    },
    () => [text('ok')],
  ],
  test_argument_in_header: [
    { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } }, required: ['region'] },
    ({ region }) => [text(region)],
  ],
  test_logging_tool: [
    none,
    async (_, { tell }) => {
      await tell('notifications/message', { level: 'info', logger: 'fixture', data: 'a detail' })
      return [text('logged')]
    },
  ],
}

const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
}

const prompts = {
  test_simple_prompt: [[], () => [text('This is a simple prompt for testing.')]],
  test_prompt_with_arguments: [
    ['arg1', 'arg2'],
    ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  ],
  test_prompt_with_embedded_resource: [
    ['resourceUri'],
    ({ resourceUri }) => [
      embedded(resourceUri, 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  ],
  test_prompt_with_image: [[], () => [image, text('Please analyze the image above.')]],
}

const capabilities = {
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  logging: {},
  completions: {},
}
const server = new Server({ name: 'fixture', version: '1.0.0' }, { capabilities })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, [inputSchema]]) => ({
    name,
    title: `Title of ${name}`,
    description: `Description of ${name}`,
    inputSchema,
    annotations: { readOnlyHint: true },
    icons: [{ src: 'data:image/png;base64,AA==' }],
    _meta: { 'fixture/of': name },
  })),
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest, sendNotification, _meta }) => {
  const [, answer] = tools[params.name] ?? []
  if (answer === undefined) throw new Error(`there is no tool ${params.name}`)
  const context = {
    progressToken: _meta?.progressToken,
    ask: (method, asking, schema) => sendRequest({ method, params: asking }, schema),
    tell: (method, told) => sendNotification({ method, params: told }),
  }
  try {
    return { content: await answer(params.arguments ?? {}, context) }
  } catch (error) {
    return { content: [text(error.message)], isError: true }
  }
})

server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
}))
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
}))
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) {
    const words = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text: words }] }
  }
  if (resources[uri] === undefined) throw new Error(`there is no resource ${uri}`)
  return { contents: [{ uri, ...resources[uri] }] }
})
server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
  setImmediate(() => server.sendResourceUpdated({ uri: params.uri }))
  return {}
})
server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))

server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: Object.entries(prompts).map(([name, [names]]) => ({
    name,
    description: `Description of ${name}`,
    arguments: names.map((argument) => ({ name: argument, required: true })),
  })),
}))
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
  const [, contents] = prompts[params.name] ?? []
  if (contents === undefined) throw new Error(`there is no prompt ${params.name}`)
  return { messages: contents(params.arguments ?? {}).map((content) => ({ role: 'user', content })) }
})
server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: ['paris', 'park'], total: 2 } }))

await server.connect(new StdioServerTransport())
