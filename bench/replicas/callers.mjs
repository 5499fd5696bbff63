// Callers over MCP, of both eras, as they are on the wire: a session for revisions until 2025-11-25, and requests that
// stand alone since 2026-07-28.

const REVISION = '2026-07-28'
const TASKS = 'io.modelcontextprotocol/tasks'
const PATIENCE_MS = 60_000

/** No answer, or none of the protocol: the request may have been carried out. */
export class Unanswered extends Error {
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

/** A caller without a session. `tasks`: it knows tasks. */
export function modernCaller(url, key, { tasks = false } = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': tasks ? { extensions: { [TASKS]: {} } } : {},
  }
  return {
    ask: (method, params = {}) => {
      const named = params.name ?? params.taskId
      const headers = {
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(named === undefined ? {} : { 'mcp-name': named }),
      }
      return post(url, key, { headers, body: { id: 1, method, params: { ...params, _meta: meta } } })
    },
  }
}

/** A caller with a session, which it opens at its first request. `lost`: how many of its sessions were forgotten. */
export function sessionCaller(url, key) {
  let session
  let lost = 0
  let id = 1
  const open = async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
    let name
    await post(url, key, { headers: {}, body: { id: id++, method: 'initialize', params } }, (headers) => {
      name = headers.get('mcp-session-id')
    })
    const headers = { 'mcp-session-id': name, 'mcp-protocol-version': '2025-06-18' }
    await post(url, key, { headers, body: { method: 'notifications/initialized' } })
    return headers
  }
  return {
    lost: () => lost,
    async ask(method, params = {}) {
      session ??= await open()
      try {
        return await post(url, key, { headers: session, body: { id: id++, method, params } })
      } catch (error) {
        if (error.status === 404) {
          session = undefined
          lost++
        }
        throw error
      }
    },
  }
}

async function post(url, key, { headers, body }, onHeaders = () => {}) {
  let text = ''
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': key,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    onHeaders(response.headers)
    text = await response.text()
    if (body.id === undefined && response.ok) return undefined
    const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
    const messages = [...lines.map((line) => line.slice(6)), ...(text.startsWith('{') ? [text] : [])]
    const answer = messages
      .map((one) => JSON.parse(one))
      .find(({ id, result, error }) => id === body.id && (result ?? error))
    if (answer?.result !== undefined) return answer.result
    throw new Unanswered(`${response.status}: ${answer?.error?.message ?? text.slice(0, 200)}`, response.status)
  } catch (error) {
    if (error instanceof Unanswered) throw error
    throw new Unanswered(error.cause?.code ?? error.message)
  }
}

export function textOf({ content = [] }) {
  return content.map(({ text = '' }) => text).join('\n')
}
