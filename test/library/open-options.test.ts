// Options of `CodeMode.open` that a program in JavaScript may get wrong.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { CodeMode, DiagnosticError, type OpenOptions, renderDiagnostics } from '../../dist/index.js'

/** The refusal of opening with these options. */
async function refusal(options: object): Promise<string> {
  try {
    await using opened = await CodeMode.open({ warm: false, ...options } as OpenOptions)
    return `opened: ${opened.status().length}`
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return renderDiagnostics(error.diagnostics)
  }
}

it('are named when they do not exist', async () => {
  expect(await refusal({ server: {}, langauge: 'javascript', qqqq: 1 })).toBe(
    `host error [config-unknown-key] CodeMode.open: server is not a known key
hint: write "serve" or "servers"

host error [config-unknown-key] CodeMode.open: langauge is not a known key
hint: write "language"

host error [config-unknown-key] CodeMode.open: qqqq is not a known key`,
  )
})

it('are named when their values are of the wrong kind', async () => {
  const wrong = { bindingLevel: 'tol', strict: 'yes', callTimeoutMs: '5', callsAtOnce: 0, log: {}, servers: ['a'] }
  expect((await refusal(wrong)).split('\n\n')).toEqual([
    'host error [config-wrong-value] CodeMode.open: log: got an object, want a function',
    'host error [config-wrong-value] CodeMode.open: servers: got a list, want an object with one entry for each server',
    'host error [config-wrong-value] CodeMode.open: bindingLevel: got "tol", want "server" or "tool"',
    'host error [config-wrong-value] CodeMode.open: strict: got a string, want true or false',
    'host error [config-wrong-value] CodeMode.open: callTimeoutMs: got a string, want a whole number of milliseconds',
    'host error [config-wrong-value] CodeMode.open: callsAtOnce: got 0, want at least 1',
  ])
})

it('are named with the wrong part inside them', async () => {
  const serve = {
    allowedOrigin: ['https://a.test'],
    port: 'x',
    rateLimits: [{ call: 1 }],
    callers: { a: { toolsToDenny: ['b'] } },
  }
  expect((await refusal({ serve, stubs: { bogus: 1 }, results: { maxFiles: 0 } })).split('\n\n')).toEqual([
    `host error [config-unknown-key] CodeMode.open: stubs.bogus is not a known key
hint: the known keys are descriptionLength, observationsFile, observedValues`,
    'host error [config-wrong-value] CodeMode.open: results.maxFiles: got 0, want at least 1',
    `host error [config-unknown-key] CodeMode.open: serve.callers.a.toolsToDenny is not a known key
hint: write "toolsToDeny"`,
    'host error [config-wrong-value] CodeMode.open: serve.port: got a string, want a port number',
    `host error [config-unknown-key] CodeMode.open: serve.rateLimits[0].call is not a known key
hint: write "calls"`,
    `host error [config-unknown-key] CodeMode.open: serve.allowedOrigin is not a known key
hint: write "allowedOrigins"`,
  ])
})

it('are named as given, even with odd names', async () => {
  const servers = { 'a b': { comand: 'x' }, 'mcpServers.x': { command: 3 }, c: { command: '${NOPE_NOPE}' } }
  expect((await refusal({ servers })).split('\n\n')).toEqual([
    `host error [config-unknown-key] CodeMode.open: servers["a b"].comand is not a known key
hint: write "command"`,
    'host error [config-wrong-value] CodeMode.open: servers["mcpServers.x"].command: got 3, want a string',
  ])
  expect(await refusal({ servers: { 'codeMode.': { command: '${NOPE_NOPE}' } } })).toBe(
    `host error [config-variable-missing] CodeMode.open: servers["codeMode."].command refers to the environment variable NOPE_NOPE, which is not set
hint: set NOPE_NOPE, or give a default: \${NOPE_NOPE:-default}`,
  )
  await using opened = await CodeMode.open({ warm: false })
  await expect(opened.servers.add('a b', { comand: 'x' } as never)).rejects.toThrow(
    'servers.add: ["a b"].comand is not a known key',
  )
})

it('leaves no trace of this package if the error is not caught', async () => {
  const program = `import { CodeMode } from './dist/index.js'
await CodeMode.open({
  server: {},
})
`
  const node = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [status]] = await Promise.all([text(node.stderr), once(node, 'close')])
  expect(status).toBe(1)
  expect(said).toContain(
    'DiagnosticError: host error [config-unknown-key] CodeMode.open: server is not a known key\nhint: write "serve" or "servers"\n',
  )
  expect(said).not.toMatch(/dist|diagnostics:/)
})

it('may be given as undefined', async () => {
  expect(await refusal({ language: undefined, log: undefined, servers: undefined })).toBe('opened: 0')
})
