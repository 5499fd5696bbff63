// A stand-in for the models of OpenAI, Anthropic and Google: a local HTTP server that speaks their wire formats and follows a script, so that the
// examples run without a network and without a key. It is as strict as they are where it matters here: the four tools have to be defined
// in the provider's format, and every call has to be answered under its own id. What is wrong with a request is a 400 with the reason.
// Invariant: it listens on the loopback address only, and `close` leaves nothing open.

import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { steps } from './conversation.mjs'

/** Starts the model. Its `url` is the base URL for the provider's SDK. */
export async function scriptedModel(provider) {
  const format = formats[provider]
  const server = createServer(async (request, response) => {
    const { status, body } = await reply(format, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}${format.base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

async function reply(format, request) {
  try {
    const body = await json(request)
    expect(format.path.test(request.url), `there is nothing at ${request.url}`)
    const names = format.definitions(body).map(({ name, description, schema }) => {
      expect(description && schema?.type === 'object' && schema.properties, `${name} is not defined`)
      return name
    })
    expect(
      names.join() === 'listToolFiles,readToolFile,getToolDocs,executeToolCode',
      `the tools are ${names.join() || 'missing'}`,
    )
    return { status: 200, body: format.say(step(format.answers(body))) }
  } catch (error) {
    return { status: 400, body: { error: { type: 'invalid_request_error', message: error.message } } }
  }
}

/** What the model does next. Ids count the calls of the conversation: call-1, call-2… */
function step(answers) {
  let made = 0
  for (const { calls = [], words } of steps) {
    const numbered = calls.map((call) => ({ ...call, id: `call-${++made}` }))
    if (words) return { calls: [], words: words(answers.at(-1).text) }
    if (answers.length < made) return { calls: numbered, words: null }
    for (const { id } of numbered)
      expect(answers.filter((answer) => answer.id === id).length === 1, `the call ${id} is not answered once`)
  }
}

function expect(truth, message) {
  if (!truth) throw new Error(message)
}

const formats = {
  'openai-chat': {
    base: '/v1',
    path: /^\/v1\/chat\/completions$/,
    definitions: (body) =>
      (body.tools ?? [])
        .filter((tool) => tool.type === 'function')
        .map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
    answers: (body) =>
      body.messages
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id, content }) => ({ id: tool_call_id, text: content })),
    say: ({ calls, words }) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      choices: [
        {
          index: 0,
          finish_reason: words === null ? 'tool_calls' : 'stop',
          message: {
            role: 'assistant',
            content: words,
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ id, name, args }) => ({
                    id,
                    type: 'function',
                    function: { name, arguments: JSON.stringify(args) },
                  })),
                }),
          },
        },
      ],
    }),
  },
  'openai-responses': {
    base: '/v1',
    path: /^\/v1\/responses$/,
    definitions: (body) =>
      (body.tools ?? [])
        .filter((tool) => tool.type === 'function')
        .map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
    answers: (body) =>
      body.input
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id, output }) => ({ id: call_id, text: output })),
    say: ({ calls, words }) => ({
      id: 'resp-1',
      object: 'response',
      created_at: 0,
      status: 'completed',
      model: 'scripted',
      output: [
        { type: 'reasoning', id: 'rs-1', summary: [] },
        ...calls.map(({ id, name, args }) => ({
          type: 'function_call',
          id: `fc-${id}`,
          call_id: id,
          name,
          arguments: JSON.stringify(args),
          status: 'completed',
        })),
        ...(words === null
          ? []
          : [
              {
                type: 'message',
                id: 'msg-1',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: words, annotations: [] }],
              },
            ]),
      ],
    }),
  },
  anthropic: {
    base: '',
    path: /^\/v1\/messages$/,
    definitions: (body) =>
      (body.tools ?? []).map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
    answers: (body) =>
      body.messages
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id, content }) => ({ id: tool_use_id, text: content })),
    say: ({ calls, words }) => ({
      id: 'msg-1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [
        ...(words === null ? [] : [{ type: 'text', text: words }]),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      ],
      stop_reason: words === null ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    }),
  },
  gemini: {
    base: '',
    path: /^\/v1beta\/models\/[\w.-]+:generateContent$/,
    definitions: (body) =>
      (body.tools ?? [])
        .flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
        .map(({ name, description, parametersJsonSchema }) => ({ name, description, schema: parametersJsonSchema })),
    answers: (body) =>
      body.contents
        .flatMap(({ parts }) => parts)
        .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []))
        .map(({ id, response }) => ({ id, text: response.output ?? response.error })),
    say: ({ calls, words }) => ({
      candidates: [
        {
          index: 0,
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: [
              ...(words === null ? [] : [{ text: words }]),
              ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
            ],
          },
        },
      ],
    }),
  },
}
