// The upstreams of the bench about tokens: real catalogues, and answers that are made here in the sizes of real ones.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { connectStdio } from '../callers.mjs'
import { azure, tasks as clusterTasks, kubernetes } from './clusters.mjs'
import { tasks as databaseTasks, mongodb, sqlite } from './databases.mjs'
import { filesystem, tasks as filesystemTasks } from './filesystem.mjs'
import { github, tasks as githubTasks } from './github.mjs'
import { gitlab, tasks as gitlabTasks } from './gitlab.mjs'
import { everything, memory, tasks as memoryTasks } from './memory.mjs'
import { git, tasks as repositoryTasks } from './repository.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const worlds = { azure, everything, filesystem, git, github, gitlab, kubernetes, memory, mongodb, sqlite }
const nameOf = Object.fromEntries(Object.entries(worlds).map(([name, { catalogue }]) => [catalogue, name]))

/** The tasks: a person's question, a model's calls in both ways, and the expected result. */
export const allTasks = [
  ...githubTasks,
  ...gitlabTasks,
  ...filesystemTasks,
  ...memoryTasks,
  ...databaseTasks,
  ...clusterTasks,
  ...repositoryTasks,
]

export function expectedOf({ expected }) {
  return typeof expected === 'function' ? expected() : expected
}

/** Saved tools/list answers of a folder, by the name of the server; where there is none, of the reference servers. */
export async function readServers(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []
  if (files.length === 0) return referenceServers()
  return files.sort().map((file) => {
    const saved = path.basename(file, '.json')
    return { name: nameOf[saved] ?? saved, tools: JSON.parse(readFileSync(path.join(folder, file), 'utf8')).tools }
  })
}

/** The tools of the reference servers that are installed beside this bench. */
async function referenceServers() {
  const asked = ['everything', 'filesystem', 'memory'].map(async (name) => {
    const script = path.join(root, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js')
    const client = await connectStdio({
      command: process.execPath,
      args: [script, ...(name === 'filesystem' ? [path.join(root, 'bench')] : [])],
    })
    const { tools } = await client.listTools()
    await client.close()
    return { name, tools }
  })
  return Promise.all(asked)
}

/** The answer of a tool in the form of MCP. */
export function callTool({ name, tools }, tool, args) {
  const answer = worlds[name]?.answer[tool]
  if (answer === undefined) return failed(`${name} is not set up for ${tool} here`)
  try {
    const value = answer(args)
    if (typeof value === 'string') return { content: [{ type: 'text', text: value }] }
    const structured = tools.find((one) => one.name === tool)?.outputSchema !== undefined
    const content = [{ type: 'text', text: JSON.stringify(value, null, 2) }]
    return structured ? { content, structuredContent: value } : { content }
  } catch (error) {
    return failed(error.message)
  }
}

function failed(text) {
  return { isError: true, content: [{ type: 'text', text }] }
}

/** A server with the tools of a catalogue, for `inProcess`. */
export function serverOf(one) {
  const server = new Server({ name: one.name, version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: one.tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(one, params.name, params.arguments ?? {}))
  return server
}

/** The servers of a task, and others until there are about `tools` tools. */
export function serversFor({ servers: own }, all, tools) {
  const chosen = all.filter(({ name }) => own.includes(name))
  let count = chosen.reduce((sum, one) => sum + one.tools.length, 0)
  for (const one of all) {
    if (own.includes(one.name) || count + one.tools.length > tools * 1.06) continue
    chosen.push(one)
    count += one.tools.length
  }
  return chosen
}
