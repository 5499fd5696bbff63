// Every failure that the agent reports, to a model or to a caller: one template for each code.

import type { Diagnostic } from '../index.js'

/** Words of others, in quotes, on one line and short enough to read. */
function quoted(words: string, longest = 300): string {
  const start = words.slice(0, 4 * longest)
  const line = start.replace(/\s+/g, ' ').trim()
  return `"${line.length > longest || start.length < words.length ? `${line.slice(0, longest)}…` : line}"`
}

// For the model: the answers to calls that were not made or failed.

export function toolNotOffered(name: string, names: readonly string[]): Diagnostic {
  const shown = names.slice(0, 20)
  return {
    class: 'tool error',
    code: 'tool-not-offered',
    message: `there is no tool ${quoted(name, 80)}; nothing was called`,
    hint:
      names.length === 0
        ? 'answer without tools'
        : `the tools are ${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`,
  }
}

export function argumentsNotJson(name: string, text: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'arguments-not-json',
    message: `${name} was not called: its arguments are not valid JSON: ${quoted(text)}`,
    hint: 'write the arguments as one JSON object',
  }
}

export function argumentsNoObject(name: string, got: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'arguments-no-object',
    message: `${name} was not called: its arguments are ${got}, want a JSON object`,
  }
}

export function argumentsTooLong(name: string, chars: number, most: number): Diagnostic {
  return {
    class: 'limit',
    code: 'arguments-too-long',
    message: `${name} was not called: its arguments have ${chars} characters, and ${most} are allowed`,
  }
}

export function tooManyCalls(count: number, most: number): Diagnostic {
  return {
    class: 'limit',
    code: 'too-many-calls',
    message: `not called: the reply has ${count} calls, and ${most} are allowed in one`,
    hint: 'make the remaining calls in the next reply',
  }
}

/** `words`: the whole answer of the tool, which the model reads. */
export function toolFailed(name: string, words: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'tool-answered-failure',
    message: `${name} failed${words === '' ? ' and gave no reason' : `: ${words}`}`,
  }
}

export function callDenied(name: string, reason: string): Diagnostic {
  return {
    class: 'tool error',
    code: 'call-denied',
    message: `${name} was not called: a person denied it${reason === '' ? '' : `: ${quoted(reason)}`}`,
  }
}

export function callCancelled(name: string): Diagnostic {
  return { class: 'tool error', code: 'call-cancelled', message: `${name} was cancelled` }
}

// For the person who configured the model.

export function modelPackageMissing(): Diagnostic {
  return {
    class: 'host error',
    code: 'model-package-missing',
    message: 'a model endpoint is reached through the package openai, which is not installed',
    hint: 'npm install openai, or pass a function as the model',
  }
}

export function modelKeyRefused(where: string, isMissing: boolean, words: string): Diagnostic {
  return {
    class: 'host error',
    code: 'model-key-refused',
    message: `${where} ${isMissing ? 'wants an API key, and none is configured' : 'refused the API key'}: ${quoted(words)}`,
    hint: isMissing ? 'set apiKey' : 'check apiKey',
  }
}

export function modelRefused(where: string, status: number, words: string): Diagnostic {
  return {
    class: 'host error',
    code: 'model-refused',
    message: `${where} answered with the status ${status}: ${quoted(words)}`,
  }
}

export function modelUnreachable(where: string, reason: string): Diagnostic {
  return { class: 'host error', code: 'model-unreachable', message: `${where} can't be reached: ${quoted(reason)}` }
}

export function modelTimedOut(where: string, ms: number): Diagnostic {
  return { class: 'host error', code: 'model-too-slow', message: `${where} sent nothing for ${ms} ms` }
}

export function modelNotApi(where: string, type: string, words: string): Diagnostic {
  return {
    class: 'host error',
    code: 'model-no-api',
    message: `${where} answered with ${type} and not with a chat completion: ${quoted(words, 120)}`,
    hint: 'check baseUrl: it usually ends in /v1',
  }
}

export function modelBroke(where: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'model-broke-off',
    message: `${where} ended its reply in the middle: ${quoted(reason)}`,
  }
}

export function modelReplyTooLong(where: string, most: number): Diagnostic {
  return {
    class: 'limit',
    code: 'model-reply-too-long',
    message: `${where} sent a reply that is too long: more than ${most} characters or bytes`,
  }
}

export function modelSilent(name: string, finish: string): Diagnostic {
  return {
    class: 'host error',
    code: 'model-silent',
    message: `the model ${name} answered with neither text nor calls (finish reason: ${quoted(finish, 40)})`,
  }
}

export function modelCallsTooMuch(name: string, count: number, most: number): Diagnostic {
  return {
    class: 'limit',
    code: 'model-calls-too-much',
    message: `the model ${name} made ${count} calls in one reply, and at most ${most} are read`,
  }
}

export function modelFailed(name: string, reason: string): Diagnostic {
  return { class: 'host error', code: 'model-failed', message: `the model ${name} failed: ${quoted(reason)}` }
}

export function callIdRepeated(id: string, now: string): Diagnostic {
  return {
    class: 'host error',
    code: 'call-id-repeated',
    message: `the model used the call id ${quoted(id, 80)} more than once; a later call is now ${now}`,
  }
}

// For the caller: a conversation that no model accepts.

export function conversationWrong(problems: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'conversation-wrong',
    message: `the conversation can't be continued: ${problems.join('; ')}`,
  }
}

export function agentOptionUnknown(place: string, name: string, known: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'agent-option-unknown',
    message: `${place} ${name} is not a known option`,
    hint: `the options are ${known.join(', ')}`,
  }
}

export function agentOptionWrong(place: string, name: string, want: string): Diagnostic {
  return { class: 'host error', code: 'agent-option-wrong', message: `${place} ${name}: want ${want}` }
}

export function toolSetUnknown(name: string, known: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-set-unknown',
    message: `there is no tool set ${name}`,
    hint: known.length === 0 ? 'declare it in toolSets' : `the tool sets are ${known.join(', ')}`,
  }
}

export function toolSetServers(set: string, missing: readonly string[], known: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-set-servers',
    message: `the tool set ${set} names servers that do not exist: ${missing.join(', ')}`,
    hint: `the servers are ${known.join(', ')}`,
  }
}

export function toolSetUnready(set: string, server: string, reason: string): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-set-unready',
    message: `the tool set ${set} needs the server ${server}, which is not available: ${reason}`,
  }
}

export function toolSetTools(set: string, missing: readonly string[], servers: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-set-tools',
    message: `the tool set ${set} names tools that none of its servers has (${servers.join(', ')}): ${missing.join(', ')}`,
  }
}

/** `clashes`: each a tool and its servers. */
export function toolSetClashes(set: string, clashes: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-set-clashes',
    message: `the tool set ${set} has tools of one name at several servers: ${clashes.join('; ')}`,
    hint: 'name the wanted tools in a set for each server',
  }
}

export function callersToolsClash(names: readonly string[]): Diagnostic {
  return {
    class: 'host error',
    code: 'tool-names-taken',
    message: `these tools of the caller have names that are taken: ${names.join(', ')}`,
    hint: 'give them other names',
  }
}

export function answerMisfit(problems: string, corrections: number, restarts: number): Diagnostic {
  return {
    class: 'tool error',
    code: 'answer-misfit',
    message: `no answer fits the schema after ${corrections} corrections and ${restarts} restarts: ${problems}`,
  }
}

// For the person who reads traces.

export function traceUnreadable(traceId: string): Diagnostic {
  return {
    class: 'host error',
    code: 'trace-unreadable',
    message: `the trace ${quoted(traceId)} was not kept by an agent, or by another version of it`,
  }
}

export function traceNotKept(error: unknown): Diagnostic {
  const words = error instanceof Error ? error.message : String(error)
  return { class: 'host error', code: 'trace-not-kept', message: `the conversation was not kept: ${quoted(words)}` }
}
