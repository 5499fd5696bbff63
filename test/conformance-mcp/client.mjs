// Our connection to an upstream as a client of the conformance suite, with a person at the browser who agrees to
// everything and a caller who answers with what the server proposes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkConfiguration, Upstreams } from '../../dist/gateway/index.js'
import { login } from '../../dist/index.js'

/** Does what a scenario wants of a client. Rejects where that fails. */
export async function beClient({ url, scenario, context }) {
  const before = process.env.STARBIND_HOME
  const home = mkdtempSync(path.join(tmpdir(), 'starbind-conformance-'))
  process.env.STARBIND_HOME = home
  try {
    await carryOut(serversOf({ url, scenario, context }), { scenario, context })
  } finally {
    if (before === undefined) delete process.env.STARBIND_HOME
    else process.env.STARBIND_HOME = before
    rmSync(home, { recursive: true, force: true })
  }
}

async function carryOut(servers, { scenario, context }) {
  let upstreams
  const close = async () => {
    await upstreams?.close()
    upstreams = undefined
  }
  const logIn = () =>
    login(servers[0], {
      open: (page) => void fetch(page).then((response) => response.text()),
      confirm: async () => true,
    })
  /** A person logs in again when starbind asks for it: the server wants more scopes, or another authorization server. */
  const connected = async (work) => {
    for (let logins = 0; ; logins++) {
      try {
        upstreams ??= await open(servers)
        return await work()
      } catch (error) {
        if (logins === 2 || !/\[server-needs-login\]|run: starbind login/.test(error.message)) throw error
        await close()
        await logIn()
      }
    }
  }
  if (scenario.startsWith('auth/')) await logIn()
  try {
    const tools = await connected(async () => upstreams.servers()[0]?.tools ?? [])
    // Such a tool is to be listed, and its server knows no calls.
    const calls = scenario === 'json-schema-ref-no-deref' ? [] : callsOf(tools, context)
    for (const call of calls) await connected(() => upstreams.call('suite', call.name, call.arguments, { caller }))
  } finally {
    await close()
  }
}

/** The calls that a scenario names, else one of each tool. */
function callsOf(tools, { toolCalls }) {
  const [{ inputSchema: schema } = {}] = tools.filter(({ name }) => name !== 'json_schema_echo')
  return toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, schema) }))
}

function argumentsFor({ properties = {} }, schema) {
  const values = { schema }
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }], i) => [
      name,
      values[name] ?? (type === 'string' ? 'text' : 5 - 2 * i),
    ]),
  )
}

function serversOf({ url, scenario, context }) {
  const oauth = {
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
    ...(scenario === 'auth/basic-cimd'
      ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }
      : {}),
  }
  if (scenario.startsWith('auth/client-credentials'))
    Object.assign(oauth, {
      grant: 'client_credentials',
      ...(context.private_key_pem === undefined ? {} : { privateKey: context.private_key_pem }),
      ...(context.signing_algorithm === undefined ? {} : { algorithm: context.signing_algorithm }),
    })
  const { servers } = checkConfiguration(
    { mcpServers: { suite: { url, ...(scenario.startsWith('auth/') ? { oauth } : {}) } } },
    { folder: process.cwd(), placeOf: () => 'conformance' },
  )
  return servers
}

/** Answers with the defaults of the form. */
const caller = {
  ask: async (method, { requestedSchema }) => {
    if (method !== 'elicitation/create') throw new Error('no model here')
    const fields = Object.entries(requestedSchema?.properties ?? {})
    const content = Object.fromEntries(
      fields.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
    )
    return { action: 'accept', content }
  },
  tell: () => {},
}

async function open(servers) {
  const upstreams = await Upstreams.open(servers, {
    log: () => {},
    version: '0.0.0',
    connectTimeoutMs: 60_000,
    callersAnswer: true,
  })
  const [{ state, reason }] = upstreams.status()
  if (state === 'ready') return upstreams
  await upstreams.close()
  throw new Error(reason)
}
