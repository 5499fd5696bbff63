// What the conformance suite runs as a client: our connection to an upstream, with a person at the browser who agrees to everything and a caller
// who answers with what the server proposes. The suite gives the address as the last argument.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkConfiguration, Upstreams } from '../../dist/gateway/index.js'
import { login } from '../../dist/index.js'

const url = process.argv.at(-1)
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || '{}')

process.env.STARBIND_HOME = mkdtempSync(path.join(tmpdir(), 'starbind-conformance-'))

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

const logIn = () =>
  login(servers[0], { open: (page) => void fetch(page).then((response) => response.text()), confirm: async () => true })

try {
  if (scenario.startsWith('auth/')) await logIn()
  let upstreams = await open()
  for (const tool of upstreams.servers()[0]?.tools ?? []) {
    const args = Object.fromEntries(Object.keys(tool.inputSchema.properties ?? {}).map((name, i) => [name, 5 - 2 * i]))
    await upstreams.call('suite', tool.name, args, { caller }).catch(async (error) => {
      if (!error.message.includes('[server-needs-login]')) throw error
      // The server wants to know more than the first login told it.
      await upstreams.close()
      await logIn()
      upstreams = await open()
      await upstreams.call('suite', tool.name, args, { caller })
    })
  }
  await upstreams.close()
} finally {
  rmSync(process.env.STARBIND_HOME, { recursive: true, force: true })
}

async function open() {
  const upstreams = await Upstreams.open(servers, {
    log: ({ level, message }) => console.error(level, message),
    version: '0.0.0',
    connectTimeoutMs: 60_000,
    callersAnswer: true,
  })
  const [{ state, reason }] = upstreams.status()
  if (state !== 'ready') throw new Error(reason)
  return upstreams
}
