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
    await carryOut(serversOf({ url, scenario, context }), scenario)
  } finally {
    if (before === undefined) delete process.env.STARBIND_HOME
    else process.env.STARBIND_HOME = before
    rmSync(home, { recursive: true, force: true })
  }
}

async function carryOut(servers, scenario) {
  const logIn = () =>
    login(servers[0], {
      open: (page) => void fetch(page).then((response) => response.text()),
      confirm: async () => true,
    })
  if (scenario.startsWith('auth/')) await logIn()
  let upstreams = await open(servers)
  try {
    for (const tool of upstreams.servers()[0]?.tools ?? []) {
      const args = Object.fromEntries(
        Object.keys(tool.inputSchema.properties ?? {}).map((name, i) => [name, 5 - 2 * i]),
      )
      await upstreams.call('suite', tool.name, args, { caller }).catch(async (error) => {
        if (!error.message.includes('[server-needs-login]')) throw error
        // The server wants to know more than the first login told it.
        await upstreams.close()
        await logIn()
        upstreams = await open(servers)
        await upstreams.call('suite', tool.name, args, { caller })
      })
    }
  } finally {
    await upstreams.close()
  }
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
