// Every failure that the gateway reports: one template for each code.

import type { Diagnostic } from '../diagnostics/index.js'

/** Upstream words, in quotes, on one line and short enough to read. */
export function quoteUpstream(words: string, longest = 300): string {
  // Words may be as long as a message: only the part that can be shown is read.
  const start = words.slice(0, 4 * longest)
  const line = start.replace(/\s+/g, ' ').trim()
  const isCut = line.length > longest || start.length < words.length
  return `"${isCut ? `${line.slice(0, longest)}…` : line}"`
}

// The configuration file.

export function configMissing(file: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-missing',
    message: `there is no configuration file at ${file}`,
    hint: 'give the path of an existing file with --config',
  }
}

export function configUnreadable(file: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-unreadable',
    message: `the configuration file ${file} can't be read: ${reason}`,
  }
}

export function configNotJson(place: string, reason: string): Diagnostic {
  return { class: 'host error', code: 'config-not-json', message: `${place} is not valid JSON: ${reason}` }
}

export function configUnknownKey(
  place: string,
  key: string,
  nearest: readonly string[],
  known: readonly string[],
): Diagnostic {
  return {
    class: 'host error',
    code: 'config-unknown-key',
    message: `${place} ${key} is not a known key`,
    hint: hintFor(nearest, known),
  }
}

export function configUnknownVariable(name: string, nearest: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'config-unknown-variable',
    message: `the environment variable ${name} is not known`,
    hint: nearest.length > 0 ? `set ${nearest.join(' or ')}` : 'docs/configuration.md lists all variables',
  }
}

function hintFor(nearest: readonly string[], known: readonly string[]): string {
  if (nearest.length > 0) return `write ${nearest.map((n) => `"${n}"`).join(' or ')}`
  return known.length > 12 ? 'docs/configuration.md lists all keys' : `the known keys are ${known.join(', ')}`
}

export function configWrongValue(place: string, key: string, got: string, want: string): Diagnostic {
  return { class: 'host error', code: 'config-wrong-value', message: `${place} ${key}: got ${got}, want ${want}` }
}

export function configVariableMissing(place: string, key: string, variable: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-variable-missing',
    message: `${place} ${key} refers to the environment variable ${variable}, which is not set`,
    hint: `set ${variable}, or give a default: \${${variable}:-default}`,
  }
}

export function configVariablesMissing(place: string, file: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-variables-missing',
    message: `${place} envFile: there is no file ${file}`,
    hint: 'create it with lines of NAME=value, or remove the key',
  }
}

export function configServerTwice(place: string, server: string, other: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-server-twice',
    message: `${place} there is already a server ${server}, at ${other}`,
    hint: 'give one of them another name',
  }
}

export function configInputMissing(place: string, key: string, input: string, variable: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-input-missing',
    message: `${place} ${key} refers to the input ${input}, and starbind can't ask a person for it`,
    hint: `set the environment variable ${variable}`,
  }
}

/** `key`: of another program's configuration, of which we do not do this. */
export function configNotSupported(place: string, key: string, what: string, instead: string): Diagnostic {
  return {
    class: 'host error',
    code: 'config-not-supported',
    message: `${place} ${key} is not supported: ${what}`,
    hint: instead,
  }
}

// Connections.

export function upstreamNotReady(server: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'server-not-available',
    message: `the server ${server} is not available: ${reason}`,
  }
}

export function unknownServer(server: string, nearest: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-server',
    message: `there is no server ${server}`,
    ...(nearest.length > 0 ? { hint: `nearest: ${nearest.join(', ')}` } : {}),
  }
}

export function unknownTool(server: string, tool: string, nearest: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-tool',
    message: `the server ${server} has no tool ${tool}`,
    ...(nearest.length > 0 ? { hint: `nearest: ${nearest.join(', ')}` } : {}),
  }
}

/** `kind`: the kind of the requested thing. */
export function notHere(kind: 'resource' | 'prompt' | 'tool', name: string): Diagnostic {
  return {
    class: 'program error',
    code: 'not-here',
    message: `there is no ${kind} ${JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name)} here`,
    hint: `list the ${kind}s`,
  }
}

export function resourceTooLong(uri: string, bytes: number, allowed: number): Diagnostic {
  return {
    class: 'limit',
    code: 'resource-bytes',
    message: `${uri} has ${bytes} bytes, and at most ${allowed} are read at once`,
    hint: 'read it in a program, or fetch it over HTTP',
  }
}

// Serving.

export function rateLimited(
  { server, tool }: { readonly server: string; readonly tool: string },
  { calls, seconds, wait }: { readonly calls: number; readonly seconds: number; readonly wait: number },
): Diagnostic {
  return {
    class: 'limit',
    code: 'rate-limited',
    message: `${server}.${tool} was not called: only ${calls} call${calls === 1 ? '' : 's'} may be made in ${seconds} s`,
    hint: `wait ${wait} s`,
  }
}

export function auditUnwritable(
  { server, tool }: { readonly server: string; readonly tool: string },
  reason: string,
): Diagnostic {
  return {
    class: 'host error',
    code: 'audit-unwritable',
    message: `${server}.${tool} was not called: its entry in the audit log can't be written (${reason})`,
    hint: 'a person has to make the file of serve.audit writable',
  }
}

export function keyNeeded(host: string, keysFile: string | undefined): Diagnostic {
  return {
    class: 'host error',
    code: 'key-needed',
    message: `${host} can be reached from other machines, and there are no keys${keysFile === undefined ? '' : ` in ${keysFile}`}`,
    hint: 'make one: starbind keys add NAME',
  }
}

export function resourceNeeded(host: string): Diagnostic {
  return {
    class: 'host error',
    code: 'resource-needed',
    message: `${host} can be reached from other machines, and serve.authorization has no resource`,
    hint: 'set it to the URL by which callers know /mcp',
  }
}

export function addressNotUsable(address: string, reason: string): Diagnostic {
  const why = reason === 'EADDRINUSE' ? 'something listens there already' : reason
  return { class: 'host error', code: 'address-not-usable', message: `can't listen on ${address}: ${why}` }
}

export function keysUnreadable(file: string, reason: string): Diagnostic {
  return { class: 'host error', code: 'keys-unreadable', message: `the keys in ${file} can't be read: ${reason}` }
}

export function keyExists(name: string): Diagnostic {
  return {
    class: 'host error',
    code: 'key-exists',
    message: `there is already a key ${name}`,
    hint: `remove it first: starbind keys remove ${name}`,
  }
}

export function keyUnknown(name: string, known: readonly string[]): Diagnostic {
  const message = `there is no key ${name}`
  return { class: 'host error', code: 'key-unknown', message, hint: `the keys are ${known.join(', ') || 'none'}` }
}

export function serverExists(server: string): Diagnostic {
  return {
    class: 'host error',
    code: 'server-exists',
    message: `there is already a server ${server}`,
    hint: 'use servers.update to change it',
  }
}

export function serverNotConfigured(server: string, known: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'server-not-configured',
    message: `there is no server ${server}`,
    hint: known.length > 0 ? `the servers are ${known.join(', ')}` : 'use servers.add',
  }
}

export function serverNameUnusable(server: string): Diagnostic {
  return {
    class: 'host error',
    code: 'server-name-unusable',
    message: `${JSON.stringify(server)} can't be the name of a server`,
  }
}

export const closedAlready: Diagnostic = {
  class: 'host error',
  code: 'closed',
  message: 'the connections to servers have been closed',
}

// Calls. A call without an answer may have taken effect, and the reader has to know.

export interface CalledTool {
  readonly server: string
  readonly tool: string
  /** So the server declares. */
  readonly isReadOnly: boolean
}

function effectOf({ isReadOnly }: CalledTool): string {
  return isReadOnly ? 'it is declared read-only, so nothing was changed' : 'it may have taken effect'
}

export function callTimedOut(called: CalledTool, timeoutMs: number): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-timeout',
    message: `${called.server}.${called.tool} gave no answer within ${timeoutMs} ms; ${effectOf(called)}`,
  }
}

export function callCancelled(called: CalledTool): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-cancelled',
    message: `${called.server}.${called.tool} was cancelled before it answered; ${effectOf(called)}`,
  }
}

export function callNotMade({ server, tool }: CalledTool): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-cancelled',
    message: `${server}.${tool} was cancelled while the server was being connected; it was not called`,
  }
}

export function callUnwritable({ server, tool }: CalledTool, fault: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'call-unwritable',
    message: `${server}.${tool} was not called: its input ${fault}`,
  }
}

export function templateMalformed({ server, tool }: CalledTool, template: string, reason: string): Diagnostic {
  return {
    class: 'program error',
    code: 'template-arguments',
    message: `${server}.${tool} was not called: ${quoteUpstream(template)} can't be read as a template: ${reason}`,
  }
}

/** `names`: those of the template's variables. */
export function templateUnfilled(
  { server, tool }: CalledTool,
  template: string,
  { names, missing, unknown }: Readonly<Record<'names' | 'missing' | 'unknown', readonly string[]>>,
): Diagnostic {
  const isTemplate = names.length > 0
  const faults = [
    ...(missing.length > 0 ? [`needs ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has no ${unknown.join(', ')}`] : []),
  ]
  const of = isTemplate ? `the template ${quoteUpstream(template)}` : `${quoteUpstream(template)} is no template and`
  return {
    class: 'program error',
    code: 'template-arguments',
    message: `${server}.${tool} was not called: ${of} ${faults.join(' and ')}`,
    ...(isTemplate ? { hint: `give arguments={${names.map((name) => `"${name}": …`).join(', ')}}` } : {}),
  }
}

export function connectionLost(called: CalledTool): Diagnostic {
  return {
    class: 'tool error',
    code: 'server-lost',
    message: `the connection to ${called.server} was lost before ${called.tool} answered; ${effectOf(called)}`,
  }
}

export function callRefused({ server, tool }: CalledTool, words: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-refused',
    message: `${server} refused the call of ${tool}: ${quoteUpstream(words)}`,
  }
}

export function answerMalformed(called: CalledTool, reason: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'answer-malformed',
    message: `${called.server}.${called.tool} answered with something that is not a tool result (${reason}); ${effectOf(called)}`,
  }
}

/** `what`: a description of the unreadable answer. */
export function answerUnread(called: CalledTool, what: string): Diagnostic {
  return {
    class: 'limit',
    code: 'answer-unread',
    message: `${called.server}.${called.tool} answered with ${what}, which is not read; ${effectOf(called)}`,
    hint: 'ask for less: a filter, a page or a range',
  }
}

// Replicas.

export function replicaGone(): Diagnostic {
  return {
    class: 'host error',
    code: 'replica-gone',
    message:
      'the process that carried out this request is gone, and its answer with it; some of its calls may have taken effect',
    hint: 'look at what was done before you send the request again',
  }
}

// Logging in.

export function serverNeedsLogin(server: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'server-needs-login',
    message: `the server ${server} is not available: ${reason}; nothing was called`,
  }
}

export function loginUnneeded(server: string): Diagnostic {
  return { class: 'host error', code: 'login-unneeded', message: `the server ${server} does not ask for a login` }
}

export const stateKeyWrong: Diagnostic = {
  class: 'host error',
  code: 'state-key-wrong',
  message: 'stateKey is not the key with which the logins of this deployment were encrypted; nothing was changed',
  hint: 'set the key of the other processes, or another statePrefix',
}

export function loginFailed(server: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'login-failed',
    message: `logging in to ${server} failed: ${quoteUpstream(reason)}`,
  }
}
