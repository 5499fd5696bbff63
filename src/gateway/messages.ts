// Every failure that the gateway itself reports: one code, one template. Knows words, decides nothing.

import type { Diagnostic } from '../diagnostics/index.js'

/** Upstream words, in quotes, on one line and short enough to read. */
export function quoteUpstream(words: string, longest = 300): string {
  const line = words.replace(/\s+/g, ' ').trim()
  return `"${line.length > longest ? `${line.slice(0, longest)}…` : line}"`
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
    message: `${place} ${key} is not a key that is known here`,
    hint:
      nearest.length > 0 ? `write ${nearest.map((n) => `"${n}"`).join(' or ')}` : `known here are ${known.join(', ')}`,
  }
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

// Calls. Where an answer is missing, the call may have taken effect all the same, and the reader has to know.

export function callTimedOut(server: string, tool: string, timeoutMs: number): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-timeout',
    message: `${server}.${tool} gave no answer within ${timeoutMs} ms; it may have taken effect`,
  }
}

export function callCancelled(server: string, tool: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-cancelled',
    message: `${server}.${tool} was cancelled before it answered; it may have taken effect`,
  }
}

export function connectionLost(server: string, tool: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'server-lost',
    message: `the connection to ${server} was lost before ${tool} answered; it may have taken effect`,
  }
}

export function callRefused(server: string, tool: string, words: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-refused',
    message: `${server} refused the call of ${tool}: ${quoteUpstream(words)}`,
  }
}

export function answerMalformed(server: string, tool: string, reason: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'answer-malformed',
    message: `${server}.${tool} answered with something that is not a tool result (${reason}); it may have taken effect`,
  }
}
