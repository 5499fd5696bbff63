// The operations about servers and their tools.

import { type AgentTool, createAgent } from '../agent/index.js'
import { type CodeMode, configurationRemarks, DiagnosticError, type ServerStatus, type Session } from '../index.js'
import type { Asked } from './asked.js'
import { CallFigures } from './call-figures.js'
import type { EventFeed } from './event-feed.js'
import { findingOf, markOf } from './findings.js'
import type { Doctor, LoginPage, Server, ServerList, ServerSummary, Tokens, ToolDocs } from './interface.js'
import { loginUnanswered, mayNotManage, noSuch } from './messages.js'
import { Refusal } from './refusal.js'
import { tokensOf } from './run-views.js'
import type { Viewer } from './viewer.js'

/** How often the states of servers are compared, while somebody looks. */
const LOOK_MS = 1000
const LOGIN_MS = 10 * 60_000
/** How long a server may take to name its page. */
const PAGE_MS = 20_000
const SUMMARY = 200

export function serverAnswers(codeMode: CodeMode, feed: EventFeed, configurationFile: string | undefined) {
  const servers = new WatchedServers(codeMode, feed)
  const named = ({ parameters }: Asked) => parameters.server ?? ''
  return {
    servers: async ({ viewer }: Asked) => servers.list(viewer),
    server: (asked: Asked) => servers.show(asked.viewer, named(asked)),
    tool: ({ viewer, parameters }: Asked) => servers.docs(viewer, parameters.server ?? '', parameters.tool ?? ''),
    restartServer: async (asked: Asked) => servers.summary(await managed(codeMode, asked).restart(named(asked))),
    enableServer: async (asked: Asked) => servers.summary(await managed(codeMode, asked).enable(named(asked))),
    disableServer: async (asked: Asked) => servers.summary(await managed(codeMode, asked).disable(named(asked))),
    logInToServer: (asked: Asked) => pageOf(managed(codeMode, asked), named(asked)),
    doctor: ({ viewer }: Asked) => examined(viewer.session, configurationFile),
    tokens: ({ viewer }: Asked) => tokensFor(viewer.session),
  }
}

function managed({ servers }: CodeMode, { viewer, parameters }: Asked): CodeMode['servers'] {
  if (!viewer.mayManage) throw new Refusal(403, mayNotManage)
  statusOf(viewer, parameters.server ?? '')
  return servers
}

function statusOf({ session }: Viewer, name: string): ServerStatus {
  const status = session.status().find((one) => one.name === name)
  if (status === undefined) throw new Refusal(404, noSuch('server', name))
  return status
}

class WatchedServers {
  readonly #codeMode: CodeMode
  readonly #feed: EventFeed
  readonly #figures = new CallFigures()
  /** What was told of each, as JSON without its figures. */
  readonly #told = new Map<string, string>()

  constructor(codeMode: CodeMode, feed: EventFeed) {
    this.#feed = feed
    codeMode.servers.onCall((call) => this.#figures.enter(call))
    this.#codeMode = codeMode
    this.#compare()
    setInterval(() => {
      if (feed.readers > 0) this.#compare()
    }, LOOK_MS).unref()
  }

  #compare(): void {
    for (const status of this.#codeMode.servers.status()) {
      const { figures: _, ...server } = this.summary(status)
      const text = JSON.stringify(server)
      const before = this.#told.get(status.name)
      this.#told.set(status.name, text)
      if (before !== undefined && before !== text) this.#feed.tell({ type: 'server', server: this.summary(status) })
    }
  }

  list({ session }: Viewer): ServerList {
    // What is answered counts as told: a state between two looks may be in this answer and nowhere else.
    this.#compare()
    return { servers: session.status().map((status) => this.summary(status)) }
  }

  summary({
    name,
    state,
    reason,
    lastWords,
    saidWhy,
    tools,
    quarantined,
    cut,
    remembered,
  }: ServerStatus): ServerSummary {
    return {
      name,
      state,
      reason,
      said: saidWhy ?? lastWords,
      tools: tools.length,
      setAside: quarantined.map((tool) => ({ name: tool.name, reason: tool.reason })),
      remarks: [...cut],
      isRemembered: remembered,
      canLogIn: state === 'needs-auth',
      figures: this.#figures.of(name),
    }
  }

  async show(viewer: Viewer, name: string): Promise<Server> {
    statusOf(viewer, name)
    const tools = await toolsOf(viewer.session)
    this.#compare()
    const binding = viewer.session.bindings().find(({ server }) => server === name)
    const toolList = (binding?.tools ?? []).map((tool): Server['toolList'][number] => {
      const known = tools.find((one) => one.server === name && one.tool === tool.tool)
      return {
        name: tool.tool,
        guestName: `${binding!.name}.${tool.name}`,
        signature: `${tool.name}(${tool.parameters.join(', ')})`,
        summary: (known?.description ?? '').split('\n', 1)[0]!.slice(0, SUMMARY),
        needsApproval: viewer.session.needsApproval(name, tool.tool),
        figures: this.#figures.of(name, tool.tool),
      }
    })
    return { ...this.summary(statusOf(viewer, name)), toolList, minutes: this.#figures.minutes(name) }
  }

  async docs(viewer: Viewer, server: string, tool: string): Promise<ToolDocs> {
    statusOf(viewer, server)
    const known = (await toolsOf(viewer.session)).find((one) => one.server === server && one.tool === tool)
    const { text, isError } = await viewer.session.getToolDocs({ server, tool })
    if (isError || known === undefined) throw new Refusal(404, noSuch('tool', tool))
    const binding = viewer.session.bindings().find((one) => one.server === server)
    const guest = binding?.tools.find((one) => one.tool === tool)
    const fileName = `servers/${binding?.name}/${guest?.name}.pyi`
    const { text: stub } = await viewer.session.readToolFile({ fileName })
    return {
      server,
      tool,
      stub: stub.trim(),
      docs: text,
      observed: observedIn(stub),
      inputSchema: known.parameters,
      figures: this.#figures.of(server, tool),
    }
  }
}

/** The type that a stub's function returns and the types that it names, if they were observed. */
function observedIn(stub: string): string | null {
  const returned = /^def .* -> (.+): \.\.\. {2}# observed/m.exec(stub)?.[1]
  if (returned === undefined) return null
  const named = new Set(returned.match(/\w+/g))
  // A type comes before those that it names.
  const blocks = [...stub.matchAll(/^class (\w+)\(.*\n(?: +.*\n)*/gm)].flatMap(([block, name]) => {
    if (!named.has(name!)) return []
    for (const word of block.match(/\w+/g) ?? []) named.add(word)
    return [block]
  })
  return blocks.length === 0 ? returned : blocks.join('').trimEnd()
}

/** All tools that a session may call, as models call them directly. */
async function toolsOf(session: Session): Promise<readonly AgentTool[]> {
  const nobody = () => Promise.reject(new Error('nobody asks this model'))
  return createAgent({ codeMode: session, model: nobody, mode: 'direct' }).tools()
}

/** Begins a login; it ends by itself when the person has logged in. */
async function pageOf(servers: CodeMode['servers'], name: string): Promise<LoginPage> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Refusal(409, loginUnanswered(name))), PAGE_MS)
    const open = ({ href }: URL): void => resolve({ url: href })
    servers
      .logIn(name, { open, signal: AbortSignal.timeout(LOGIN_MS) })
      .then(() => servers.restart(name))
      .catch(reject)
      .finally(() => clearTimeout(late))
  })
}

async function examined(session: Session, file: string | undefined): Promise<Doctor> {
  const servers = session
    .status()
    .map((status) => ({ name: status.name, mark: markOf(status), finding: findingOf(status) }))
  const programs = (await session.programs()).map(({ file, problem }) => ({ file, problem: problem ?? null }))
  return {
    ok: servers.every(({ mark }) => mark !== 'bad') && programs.every(({ problem }) => problem === null),
    configuration: file ?? null,
    remarks: remarksOf(file),
    servers,
    programs,
  }
}

/** The file may have been broken since the start. */
function remarksOf(file: string | undefined): string[] {
  try {
    return configurationRemarks(file).map(({ message, hint }) => `${message}${hint ? `; ${hint}` : ''}`)
  } catch (error) {
    if (error instanceof DiagnosticError) return [error.message]
    throw error
  }
}

async function tokensFor(session: Session): Promise<Tokens> {
  const costs = new Map<string, { tools: number; tokens: number }>()
  for (const { server = '', name, description, parameters } of await toolsOf(session)) {
    const { tools, tokens } = costs.get(server) ?? { tools: 0, tokens: 0 }
    const size = tokensOf(JSON.stringify({ type: 'function', function: { name, description, parameters } }).length)
    costs.set(server, { tools: tools + 1, tokens: tokens + size })
  }
  const servers = [...costs].map(([server, cost]) => ({ server, ...cost }))
  return {
    servers,
    direct: servers.reduce((sum, { tokens }) => sum + tokens, 0),
    metaTools: tokensOf(JSON.stringify(session.tools('openai')).length),
  }
}
