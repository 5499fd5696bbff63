// `starbind chat`: one answer, a conversation at a terminal, and everything that can be wrong with a model.

import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, starbindHere, Workplace } from '../fixtures/command.js'
import { openScriptedModel, type ScriptedModel, type ScriptedReply } from '../fixtures/scripted-model.js'
import { atTerminal, hasTerminal } from '../fixtures/terminal.js'

const place = new Workplace()
const models: ScriptedModel[] = []
afterAll(async () => {
  await Promise.all(models.map((model) => model.close()))
  await place.allGone()
  place.remove()
})

const env = { NO_COLOR: '1', FORCE_COLOR: '', OPENAI_API_KEY: '', XDG_STATE_HOME: path.join(place.folder, 'state') }

async function endpoint(...script: readonly ScriptedReply[]): Promise<ScriptedModel> {
  const model = await openScriptedModel(script)
  models.push(model)
  return model
}

/** A folder's configuration with a model `gpt` that follows a script. */
async function configured(script: readonly ScriptedReply[], more: object = {}): Promise<ScriptedModel> {
  const model = await endpoint(...script)
  const entry = { baseUrl: model.baseUrl, apiKey: 'sk-of-the-file', name: 'gpt-at-home' }
  place.write('starbind.json', { mcpServers: {}, models: { gpt: entry }, ...more })
  return model
}

const chat = (args: readonly string[], stdin = ''): Promise<Ended> =>
  starbindHere(['chat', '--no-state', ...args], { cwd: place.folder, env, stdin })

describe('a message', () => {
  it('is the arguments, or stdin, and its answer is all of stdout', async () => {
    const { requests } = await configured([{ text: 'Hello.' }, { text: '**Two**\nlines' }, { text: 'From a dash.' }])
    expect(await chat(['Hello', 'there?', '--system', 'Be brief.', '--temperature', '0.5'])).toEqual({
      status: 0,
      stdout: 'Hello.\n',
      stderr: '',
    })
    expect(await chat([], 'A diff\nof lines\n')).toEqual({ status: 0, stdout: '**Two**\nlines\n', stderr: '' })
    expect((await chat(['-'], 'x')).stdout).toBe('From a dash.\n')
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer sk-of-the-file'))
    expect(requests[0]!.body).toMatchObject({ model: 'gpt-at-home', temperature: 0.5 })
    expect(requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['user'],
      ['user'],
    ])
    expect(JSON.stringify(requests[1]!.body.messages)).toContain('A diff\\nof lines')
  })

  it('lets the model call tools, and --json says everything about it in one object', async () => {
    await configured(
      [{ calls: [{ id: 'c1', name: 'memory_read_graph' }] }, { text: 'It is empty.', reasoning: ' I see. ' }],
      { mcpServers: { memory: place.reference('memory') } },
    )
    const { status, stdout, stderr } = await chat(['--json', '--mode', 'direct', 'Is it empty?'])
    expect([status, stderr]).toEqual([0, ''])
    const answer = JSON.parse(stdout)
    expect(answer).toEqual({
      ok: true,
      why: 'answered',
      answer: 'It is empty.',
      reasoning: 'I see.',
      calls: [{ id: 'c1', parentId: null, name: 'memory_read_graph', ok: true, ms: expect.any(Number) }],
      pending: [],
      usage: { 'gpt-at-home': expect.objectContaining({ turns: 1, toolCalls: 1, inputTokens: 200 }) },
      trace: expect.stringMatching(/^chat-[0-9a-f]{10}$/),
      error: null,
    })
  })

  it('runs programs, and --events prints every event as it happens, then the object of --json', async () => {
    await configured([
      { calls: [{ id: 'c1', name: 'executeToolCode', arguments: { code: 'print(6 * 7)' } }] },
      { text: 'Forty-two.' },
    ])
    const { status, stdout } = await chat(['--events', '--mode', 'code', 'What is it?'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(status).toBe(0)
    expect(lines.map(({ type, callId = '' }) => `${type} ${callId}`.trim())).toEqual([
      'usage',
      'turn',
      'tool_call c1',
      'tool_response c1',
      'text',
      'text',
      'usage',
      'result',
    ])
    expect(lines[3].text).toContain('42')
    expect(lines.at(-1)).toMatchObject({ ok: true, answer: 'Forty-two.' })
  })

  it('ends with the status 3 if a call waits for a person and nobody is there', async () => {
    await configured([{ calls: [{ name: 'memory_create_entities', arguments: { entities: [] } }] }], {
      mcpServers: { memory: place.reference('memory') },
    })
    const ended = await chat(['--ask', '--mode', 'direct', 'Make something.'])
    expect(ended).toEqual({
      status: 3,
      stdout: '',
      stderr: 'not called, as nobody has approved it: memory_create_entities\n',
    })
  })

  it('is kept with the runs, as starbind traces shows, unless --trace none says otherwise', async () => {
    await configured([{ text: 'Kept.' }, { text: 'Not kept.' }])
    const here = { cwd: place.folder, env }
    const { trace } = JSON.parse((await starbindHere(['chat', '--json', 'Keep me.'], here)).stdout)
    await starbindHere(['chat', '--trace', 'none', 'Do not keep me.'], here)
    const { traces } = JSON.parse((await starbindHere(['traces', '--json'], here)).stdout)
    expect(traces.map(({ traceId, question }: { traceId: string; question: string }) => [traceId, question])).toEqual([
      [trace, 'Keep me.'],
    ])
  })
})

describe('an earlier conversation', () => {
  const here = { cwd: place.folder, env }
  const asked = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await starbindHere(['chat', '--json', ...args], here)
    return status === 0 ? JSON.parse(stdout) : { status, stderr }
  }
  const said = ({ requests }: ScriptedModel, place: number) =>
    requests[place]!.body.messages.map(({ role, content }) => `${role}: ${content}`)

  it('goes on with --continue or by its name, with all that was said', async () => {
    const create = { id: 'c1', name: 'memory_create_entities', arguments: { entities: [] } }
    const model = await configured(
      [
        { text: 'One.' },
        { calls: [create] },
        { text: 'Two.' },
        { text: 'Three.' },
        { text: 'Four.' },
        { text: 'Five.' },
      ],
      { mcpServers: { memory: place.reference('memory') } },
    )
    const { trace } = await asked('--system', 'Be brief.', 'First?')
    expect(await asked('--resume', trace, '--ask', '--mode', 'direct', 'Make it.')).toMatchObject({ status: 3 })
    expect(await asked('--resume', trace, '--max-tokens', '20', 'And now?')).toMatchObject({ answer: 'Two.', trace })
    const so = ['system: Be brief.', 'user: First?', 'assistant: One.', 'user: Make it.', 'assistant: null']
    const denied = 'tool: This call was not made: the person has not decided about it.'
    expect(said(model, 2)).toEqual([...so, denied, 'user: And now?'])
    expect(model.requests[2]!.body.max_tokens).toBe(20)
    expect((await asked('Another.')).trace).not.toBe(trace)
    expect(await asked('--resume', trace, '--system', 'Be long.', 'More?')).toMatchObject({ answer: 'Four.', trace })
    expect(said(model, 4).slice(0, 2)).toEqual(['system: Be long.', 'user: First?'])
    expect(await asked('--continue', '--trace', 'last_message', 'More?')).toMatchObject({ trace })
    expect(await asked('-c', '--resume', trace, 'More?')).toMatchObject({ status: 2 })
  })

  it('is one that there is, and was kept whole', async () => {
    await configured([{ text: 'Hi.' }])
    const { trace } = await asked('--trace', 'last_message', 'Hello?')
    expect(await asked('--resume', trace, 'More?')).toEqual({
      status: 2,
      stderr: `starbind: ${trace} can't be continued, because it was not kept whole\nhint: starbind traces lists the traces that are kept\n`,
    })
    expect(await asked('--resume', 'chat-0', 'More?')).toEqual({
      status: 2,
      stderr: 'starbind: there is no kept trace "chat-0"\nhint: starbind traces lists the traces that are kept\n',
    })
    expect(await asked('--no-state', '--continue', 'More?')).toEqual({
      status: 2,
      stderr: 'starbind: there is no conversation to continue\nhint: starbind traces lists the traces that are kept\n',
    })
  })
})

describe('a model', () => {
  it('is named by its address, with the key of the environment; alone, its first model is taken', async () => {
    place.write('starbind.json', { mcpServers: {} })
    const { baseUrl, requests } = await endpoint(
      { text: 'By name.' },
      { status: 200, body: { object: 'list', data: [{ id: 'first' }, { id: 'second' }] } },
      { text: 'By address.' },
    )
    const withKey = (model: string) =>
      starbindHere(['chat', '--no-state', '--model', model, 'Hello?'], {
        cwd: place.folder,
        env: { ...env, OPENAI_API_KEY: 'sk-of-the-environment' },
      })
    expect((await withKey(`qwen3:8b=${baseUrl}`)).stdout).toBe('By name.\n')
    expect((await withKey(baseUrl)).stdout).toBe('By address.\n')
    expect(requests.map(({ path, body, headers }) => [path, body.model, headers.authorization])).toEqual([
      ['/v1/chat/completions', 'qwen3:8b', 'Bearer sk-of-the-environment'],
      ['/v1/models', undefined, 'Bearer sk-of-the-environment'],
      ['/v1/chat/completions', 'first', 'Bearer sk-of-the-environment'],
    ])
  })

  it('is missing or unknown: the message says what there is, and how to name one', async () => {
    const hint = '--model NAME=https://HOST/v1 names a model by its address, with the key in OPENAI_API_KEY'
    place.write('starbind.json', { mcpServers: {} })
    expect(await chat(['Hello?'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `starbind: there is no model to talk to\nhint: add the block models to the configuration; or ${hint}\n`,
    })
    await configured([])
    expect(await chat(['--model', 'claude', 'Hello?'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `starbind: there is no model claude; the configuration has gpt\nhint: ${hint}\n`,
    })
    expect(await chat(['--temperature', 'warm', 'Hello?'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'warm' is invalid. Write a number."),
    })
    expect((await chat([])).stderr).toBe('starbind: there is no message: give one, or type at a terminal\n')
  })

  it.each<[string, ScriptedReply, RegExp]>([
    [
      'refuses the key',
      { status: 401, body: { error: { message: 'no such key' } } },
      /^host error \[model-key-refused\] .* refused the API key: "[^\n]*no such key[^\n]*"\nhint: set OPENAI_API_KEY, or apiKey of this model in the configuration\n$/,
    ],
    [
      'is a web page',
      { status: 200, type: 'text/html', body: '<html><body>Welcome</body></html>' },
      /^host error \[model-no-api\] [^\n]*\nhint: check baseUrl: it usually ends in \/v1\n$/,
    ],
    [
      'ends in the middle of its reply',
      {
        chunks: [{ choices: [{ index: 0, delta: { role: 'assistant', content: 'Half an' }, finish_reason: null }] }],
        ends: 'broken',
      },
      /^host error \[model-broke-off\] [^\n]*\n$/,
    ],
  ])('that %s is told to the person, with the status 1', async (_, reply, want) => {
    await configured(Array(3).fill(reply))
    const ended = await chat(['Hello?'])
    expect([ended.status, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toMatch(want)
    const { error, ok } = JSON.parse((await chat(['--json', 'Hello?'])).stdout)
    expect([ok, error.source]).toEqual([false, 'model'])
  })

  it('that lists no models says why, and what to type', async () => {
    place.write('starbind.json', { mcpServers: {} })
    const { baseUrl } = await endpoint(
      { status: 401, body: {} },
      { status: 200, type: 'text/html', body: '<html>' },
      { status: 404, body: {} },
    )
    const hint = '\nhint: name one: --model NAME=BASE_URL\n'
    const said = async () => (await chat(['--model', baseUrl, 'Hello?'])).stderr
    expect([await said(), await said(), await said()]).toEqual([
      `starbind: ${baseUrl}/models lists no models: it wants a key; set OPENAI_API_KEY${hint}`,
      `starbind: ${baseUrl}/models lists no models: it answered with text/html${hint}`,
      `starbind: ${baseUrl}/models lists no models: it answered with the status 404${hint}`,
    ])
  })
})

/** As readline draws it. */
const PROMPT = '> \x1b[3G'

describe.runIf(hasTerminal)('at a terminal', () => {
  it('turns follow each other, Ctrl-C ends a turn and twice the conversation, and lines are kept', async () => {
    let goOn = (): void => {}
    const never = new Promise<void>((resolve) => (goOn = resolve))
    const create = { name: 'memory_create_entities', arguments: { entities: [] } }
    const { requests } = await configured(
      [
        { text: 'I am \x1b[2Jready.' },
        { text: 'Never said.', after: never },
        { calls: [{ id: 'c1', ...create }] },
        { text: 'It was denied.' },
      ],
      { mcpServers: { memory: place.reference('memory') } },
    )
    const { status, screen } = await atTerminal(['chat', '--ask', '--mode', 'direct'], {
      cwd: place.folder,
      env,
      typed: [
        ['Ctrl-D ends.', 'Who are \\\nyou?\n'],
        ['0 tool calls in 0 turns, 110 tokens', 'Wait.\n'],
        ['gpt-at-home', '^C'],
        ['interrupted', 'Make something.\n'],
        ['[n]o, [q]uit? ', 'n\n'],
        [PROMPT, '^C'],
        ['Ctrl-C once more ends the conversation', '^C'],
      ],
    })
    goOn()
    expect(status).toBe(0)
    expect(screen).toContain('gpt-at-home at 127.0.0.1:')
    expect(screen).toContain('I am \ufffd[2Jready.\n')
    expect(screen).toContain('call memory.create_entities with\n  {\n    "entities": []\n  }\n')
    expect(screen).toMatch(/✗ memory_create_entities [^\n]*\n/)
    expect(screen).toContain('It was denied.\n')
    // The interrupted turn is gone, and the first one is still there.
    const said = requests[2]!.body.messages.map(({ role, content }) => [role, JSON.stringify(content)])
    expect(said.map(([role]) => role)).toEqual(['user', 'assistant', 'user'])
    expect(said[0]![1]).toContain('Who are \\nyou?')
    const file = path.join(env.XDG_STATE_HOME, 'starbind', 'chat-history')
    expect(readFileSync(file, 'utf8')).toBe('Who are \\\nyou?\nWait.\nMake something.\n')
    expect(statSync(file).mode & 0o077).toBe(0)
  })
  it('a paste of several lines is one message, which can be changed before it is sent; a conversation goes on', async () => {
    const model = await configured([{ text: 'Hello.' }, { text: 'A list.' }])
    await starbindHere(['chat', 'Who is there?'], { cwd: place.folder, env })
    const { status, screen } = await atTerminal(['chat', '--continue'], {
      cwd: place.folder,
      env,
      typed: [
        ['Ctrl-D ends.', '\x1b[200~What is this?\r- one\r- two\x1b[201~'],
        ['- two', ', three\r'],
        ['0 tool calls in 0 turns', '\x04'],
      ],
    })
    expect([status, screen]).toEqual([0, expect.stringMatching(/goes on with chat-\w+: Who is there\?\n/)])
    expect(model.requests.at(-1)!.body.messages).toEqual([
      { role: 'user', content: 'Who is there?' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'What is this?\n- one\n- two, three' },
    ])
    expect(screen).toContain('\x1b[?2004l')
  })
})
