// Finds the tool that a program means when it writes a call in the style of another system:
// `tools.github.list_issues(…)`, `callTool("github", "list_issues", …)`, `mcp__github__list_issues(…)`,
// `list_issues(…)`. Invariant: the result is an existing tool or server.

/** The text around an unknown name. */
export interface Written {
  /** The first arguments of the call that are strings. */
  readonly texts: readonly string[]
  /** The members after the name, in order: `github`, `list_issues`. */
  readonly members: readonly string[]
  readonly name: string
  readonly isCalled: boolean
}

/** The existing tools, each with the name that the program would write for it. */
export interface Known {
  readonly servers: readonly string[]
  readonly server: (name: string) => string | undefined
  readonly tool: (server: string, name: string) => string | undefined
  /** True for a common member of other values, like `find`. */
  readonly isCommon: (name: string) => boolean
}

interface Meant {
  readonly server: string
  readonly tool?: string
}

export function meantBy({ texts, members, name, isCalled }: Written, known: Known): Meant | undefined {
  const words = [...(isCalled ? texts : []), ...members, name]
  const pairs = words.flatMap((word, i) => [
    ...parted(word, known.servers),
    ...(i + 1 < words.length ? [[word, words[i + 1]!] as const] : []),
  ])
  for (const [first, second] of pairs) {
    const server = known.server(first)
    const tool = server === undefined ? undefined : known.tool(server, second.replaceAll('-', '_'))
    if (tool !== undefined) return { server: server!, tool }
  }
  const server = members[0] === undefined ? undefined : known.server(members[0])
  return (isCalled ? alone(words, known) : undefined) ?? (server === undefined ? undefined : { server })
}

/** A server and its tool in one word: `github.list_issues`, `github/list_issues`, `mcp__github__list_issues`. */
function parted(word: string, servers: readonly string[]): (readonly [server: string, tool: string])[] {
  const plain = word.replace(/^mcp_+/, '')
  return servers.flatMap((name) => {
    const rest = plain.toLowerCase().startsWith(name.toLowerCase()) ? plain.slice(name.length) : ''
    const tool = /^[_./:-]+(\w[\w-]*)$/.exec(rest)?.[1]
    return tool === undefined ? [] : [[name, tool] as const]
  })
}

/** A tool that is written without its server, if only one server has it. */
function alone(words: readonly string[], { servers, tool, isCommon }: Known): Meant | undefined {
  for (const word of words) {
    if (isCommon(word)) continue
    const owners = servers.flatMap((server) => {
      const found = tool(server, word)
      return found === undefined ? [] : [{ server, tool: found }]
    })
    if (owners.length === 1) return owners[0]
  }
  return undefined
}
