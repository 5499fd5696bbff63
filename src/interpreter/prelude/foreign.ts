// Namespaces of functions that the host implements. A call is sent as JSON text and answered with a letter and text; see the host's foreign.ts for
// the words. Nothing of a namespace lives in the guest but names.

import { dictFlat } from './dict.js'
import { FatalError, GuestError } from './errors.js'
import { hostCall } from './host.js'
import { items } from './iterate.js'
import { decodeJson, encodeJson } from './modules/json.js'
import { PROTOCOL, type Protocol } from './protocol.js'
import { type Callable, define, type Signature } from './signature.js'
import { nameClass, type Value } from './values.js'

class Namespace {
  readonly $name: string
  readonly $members: Map<string, Callable>
  constructor(name: string, members: Map<string, Callable>) {
    this.$name = name
    this.$members = members
  }
}

const namespaceProtocol: Protocol = {
  getAttribute: (x, name) => (x as Namespace).$members.get(name),
  attributeNames: (x) => [...(x as Namespace).$members.keys()],
}
Object.defineProperty(Namespace.prototype, PROTOCOL, { value: namespaceProtocol })
nameClass((x) => x instanceof Namespace, 'server')

/** Makes a namespace; `members` holds for each function its names, the first of them the one that is sent. */
export function namespace(name: string, members: readonly (readonly string[])[]): Value {
  const all = new Map<string, Callable>()
  for (const names of members) {
    const f = foreignFunction(name, names[0]!)
    for (const n of names) all.set(n, f)
  }
  return new Namespace(name, all)
}

function foreignFunction(space: string, member: string): Callable {
  const sig: Signature = {
    name: `${space}.${member}`,
    n: -1,
    parameters: [],
    positional: 0,
    positionalOnly: 0,
    required: [],
    argsSlot: 0,
    kwargsSlot: 1,
    builtin: true,
  }
  return define((args: Value, named: Value): Value => ask(space, member, items(args), named as object), sig)
}

function ask(space: string, member: string, positional: readonly Value[], named: object): Value {
  const flat = dictFlat(named)
  let text = `{"namespace":${encodeJson(space)},"member":${encodeJson(member)},"positional":[`
  for (let i = 0; i < positional.length; i++)
    text += (i > 0 ? ',' : '') + argument(space, member, `argument ${i + 1}`, positional[i]!)
  text += '],"named":{'
  for (let i = 0; i < flat.length; i += 2) {
    text += `${i > 0 ? ',' : ''}${encodeJson(flat[i]!)}:${argument(space, member, `parameter "${flat[i] as string}"`, flat[i + 1]!)}`
  }
  return receive(hostCall(`${text}}}`))
}

function argument(space: string, member: string, what: string, v: Value): string {
  try {
    return encodeJson(v)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw new GuestError('TypeError', `${space}.${member}(): ${what} can't be sent as JSON: ${e.message}`, {
      code: 'argument-not-json',
    })
  }
}

function receive(reply: string): Value {
  const body = reply.slice(1)
  if (reply[0] === 'T') return body
  if (reply[0] === 'J') return decodeJson(body)
  const error = JSON.parse(body) as {
    kind: string
    code: string
    message: string
    hint?: string
    server?: string
    tool?: string
  }
  if (error.kind === 'limit' || error.kind === 'host') {
    throw new FatalError(error.kind === 'limit' ? 'limit' : 'host error', error.code, error.message, error.hint)
  }
  const failure = new GuestError(error.kind === 'tool' ? 'ToolError' : 'TypeError', error.message, {
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  })
  if (error.kind === 'tool')
    failure.attributes = { server: error.server ?? '', tool: error.tool ?? '', message: error.message }
  throw failure
}
