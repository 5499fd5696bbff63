// Servers and tools by name, for programs that choose them at run time: `runtime.call` and `runtime.servers`. The host
// lists them when they are first used.
// Invariant: a name that the host did not list is sent unchanged, and the host reports the mistake.

import { boundMethod } from '../calls/method-tables.js'
import { bind, builtin, type Callable, isCallable } from '../calls/signature.js'
import { dictFlat } from '../containers/dict.js'
import { guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said, word } from '../values/said.js'
import { nameClass, type RecordDict, typeOf, type Value } from '../values/values.js'
import { ask, namespace } from './namespaces.js'
import { askHost } from './questions.js'

interface Server {
  readonly name: string
  /** The guest names of tools, by guest name and by original name. */
  readonly members: ReadonlyMap<string, string>
  readonly value: Value
}

interface Listed {
  /** The servers by guest name. */
  readonly servers: RecordDict
  /** The servers by guest name and by original name. */
  readonly byName: ReadonlyMap<string, Server>
}

let listed: Listed | undefined

function list(): Listed {
  if (listed !== undefined) return listed
  const answer = askHost('runtime', 'names', [], []) as unknown as readonly [string, string, [string, string][]][]
  const all = answer.map(([name, own, tools]) => {
    const members = withOwnNames(tools.map(([member, original]) => [member, original, member]))
    const names = tools.map(([member, original]) => (members.get(original) === member ? [member, original] : [member]))
    return [name, own, { name, members, value: namespace(name, names) }] as const
  })
  listed = {
    servers: Object.fromEntries(all.map(([name, , { value }]) => [name, value])),
    byName: withOwnNames(all),
  }
  return listed
}

/** Values by guest name, and by the original name if that is not the guest name of another. */
function withOwnNames<T>(all: readonly (readonly [name: string, own: string, value: T])[]): Map<string, T> {
  const byName = new Map(all.map(([name, , value]) => [name, value]))
  for (const [, own, value] of all) if (!byName.has(own)) byName.set(own, value)
  return byName
}

// ---- runtime.call ------------------------------------------------------------------------------------------------

interface NamedCall {
  readonly space: string
  readonly member: string
  readonly positional: readonly Value[]
  /** Alternating names and values. */
  readonly named: readonly Value[]
}

/** `runtime.call(server, tool, arguments)`. The arguments are one dict, or keyword arguments, or absent. */
export const callByName: Callable = builtin('call', 'server, tool, arguments=, **kwargs', (...given) => {
  const { space, member, positional, named } = namedCall(given)
  return ask(space, member, positional, named)
})

/** The call that `runtime.call` makes for these arguments. Undefined if `f` is another function. */
export function calledByName(
  f: Value,
  args: readonly Value[],
  named: readonly Value[] | undefined,
): NamedCall | undefined {
  return isCallable(f) && f === callByName ? namedCall(bind(callByName.sig, args, named)) : undefined
}

function namedCall([server, tool, args, named]: readonly (Value | undefined)[]): NamedCall {
  const [space, member] = [nameOf('server', server!), nameOf('tool', tool!)]
  const known = list().byName.get(space)
  return {
    space: known?.name ?? space,
    member: known?.members.get(member) ?? member,
    positional: args === undefined || args === null ? [] : [args],
    named: dictFlat(named as object),
  }
}

function nameOf(what: string, value: Value): string {
  if (typeof value === 'string') return value
  throw guestError('TypeError', said`runtime.call: ${word(what)} must be str, not ${typeOf(value)}`)
}

// ---- runtime.servers ---------------------------------------------------------------------------------------------

/** All servers: a mapping from names to servers, which are also its attributes. */
class Servers {}

const protocol: Protocol = {
  getAttribute: (_, name) => {
    const { servers } = list()
    return Object.hasOwn(servers, name) ? servers[name] : boundMethod(servers, name)
  },
  attributeNames: () => Object.keys(list().servers),
  getItem: (_, name) => {
    const { byName } = list()
    const known = typeof name === 'string' ? byName.get(name) : undefined
    // The host refuses this question, with the nearest names or with the reason why the server can't be reached.
    return known?.value ?? askHost('runtime', 'list_tools', ['server'], [name])
  },
  contains: (_, name) => typeof name === 'string' && list().byName.has(name),
  items: () => Object.keys(list().servers),
  length: () => Object.keys(list().servers).length,
  truth: () => Object.keys(list().servers).length > 0,
  repr: () => `<servers ${Object.keys(list().servers).join(', ')}>`,
}
Object.defineProperty(Servers.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Servers, 'servers')

export const servers: Value = new Servers()
