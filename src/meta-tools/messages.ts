// Every failure that the meta-tools report: one template for each code.

import { type Diagnostic, type Said, said } from '../diagnostics/index.js'
import type { ForeignError } from '../interpreter/index.js'

// Arguments of a meta-tool.

export function wrongArgument(metaTool: string, name: string, got: unknown, want: string): Diagnostic {
  return {
    class: 'program error',
    code: 'wrong-argument',
    message: `${metaTool}: ${name} is ${argumentText(got)}, want ${want}`,
  }
}

export function wrongArgumentName(
  metaTool: string,
  got: string,
  nearest: readonly string[],
  known: readonly string[],
): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-argument',
    message: `${metaTool} has no argument ${short(got)}`,
    hint: nearest.length > 0 ? `write ${nearest[0]}` : `its arguments are ${known.join(', ')}`,
  }
}

export function argumentsNotJson(metaTool: string): Diagnostic {
  return {
    class: 'program error',
    code: 'arguments-not-json',
    message: `${metaTool}: the arguments are not one JSON object; nothing was done`,
    hint: 'send the call again with its arguments as one JSON object',
  }
}

export function unknownMetaTool(got: string, nearest: readonly string[], known: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-meta-tool',
    message: `there is no tool ${short(got)} here`,
    hint: nearest.length > 0 ? `call ${nearest[0]}` : `the tools are ${known.join(', ')}`,
  }
}

// Saved programs.

export function noSavedProgram(name: unknown, near: readonly string[], names: readonly string[]): Diagnostic {
  const all = names.length === 0 ? 'there are none' : `the saved programs are ${names.slice(0, 12).join(', ')}`
  return {
    class: 'program error',
    code: 'no-saved-program',
    message: `there is no saved program ${argumentText(name)}`,
    hint: near.length > 0 ? `write ${near.join(' or ')}` : all,
  }
}

export function wrongSavedArguments(name: string, problems: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'wrong-program-arguments',
    message: `programs.${name}: ${problems.join('; ')}`,
    hint: 'readToolFile("servers/programs.pyi") shows its parameters',
  }
}

export const savedUnnamable: Diagnostic = {
  class: 'host error',
  code: 'program-unnamable',
  message: 'its name is not a valid program name',
  hint: 'name the file with a letter followed by letters, digits and _',
}

export function savedUnreadable(reason: string): Diagnostic {
  return { class: 'host error', code: 'program-unreadable', message: `it can't be read: ${reason}` }
}

export function savedTwice(file: string): Diagnostic {
  return {
    class: 'host error',
    code: 'program-twice',
    message: `${file} has the same name`,
    hint: 'rename one of them',
  }
}

export const savedNameTaken: Diagnostic = {
  class: 'host error',
  code: 'programs-taken',
  message: "a server is named programs, so saved programs can't be called",
  hint: 'give the server another name',
}

export const savedNotDescribed: Diagnostic = {
  class: 'host error',
  code: 'program-unread',
  message: 'it took too long to read the saved programs',
}

// The end of a run.

export const runCancelled: Diagnostic = {
  class: 'host error',
  code: 'cancelled',
  message: 'the run was cancelled by the caller',
}

export const runBusy: Diagnostic = {
  class: 'host error',
  code: 'busy',
  message: 'too many programs are waiting to run; this one was not started',
  hint: 'submit it again in a moment',
}

export const runFaulted: Diagnostic = {
  class: 'host error',
  code: 'sandbox-fault',
  message: 'the sandbox failed while the program ran; the program is not to blame',
}

export const workerLost: Diagnostic = {
  class: 'host error',
  code: 'worker-lost',
  message: 'the process that worked on the program ended, and the program ended with it',
}

export const tooComplex: Diagnostic = {
  class: 'limit',
  code: 'too-complex',
  message: 'reading the program takes more memory than is allowed',
  hint: 'split the program, and read data with tools instead of literals',
}

export const unreadable: Diagnostic = {
  class: 'host error',
  code: 'reading-failed',
  message: 'starbind failed while it read the program; the program is not to blame',
}

export const callUnread: Diagnostic = {
  class: 'host error',
  code: 'call-unread',
  message: 'the arguments of a call could not be read in time; it was not sent',
}

export const endUnexplained: Diagnostic = {
  class: 'host error',
  code: 'end-unexplained',
  message: 'the program ran, and its outcome could not be written in time',
}

export const closed: Diagnostic = {
  class: 'host error',
  code: 'closed',
  message: 'this CodeMode has been closed',
}

export function resultMisfit(problems: readonly string[]): Diagnostic {
  const shown = problems.slice(0, 3).join('; ')
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : ''
  return {
    class: 'program error',
    code: 'result-misfit',
    message: `the program ran, but its result does not match the caller's schema: ${shown}${more}`,
  }
}

// Runs that wait for a person, and runs that are taken up again.

/** `calls`: the waiting calls in guest names, each with its count. */
export function needsApproval(runId: string, calls: string): Diagnostic {
  return {
    class: 'paused',
    code: 'needs-approval',
    message: `the program stopped before ${calls} and waits for a person's answer`,
    hint: `tell the person; once they have answered, executeToolCode(resume="${runId}") continues from here and repeats no call`,
  }
}

export function unknownOutcome(runId: string, calls: string): Diagnostic {
  return {
    class: 'paused',
    code: 'unknown-outcome',
    message: `${calls} was sent before starbind stopped, and its effect is unknown; a person has to decide whether to repeat it`,
    hint: `tell the person; once they have answered, executeToolCode(resume="${runId}") continues from here`,
  }
}

export function approvalDenied(path: string, reason: string | undefined): Diagnostic {
  const words = reason === undefined || reason === '' ? '' : `: ${JSON.stringify(short(reason))}`
  return { class: 'tool error', code: 'approval-denied', message: `${path} was not called: a person denied it${words}` }
}

export function approvalExpired(hours: number): Diagnostic {
  return {
    class: 'tool error',
    code: 'approval-denied',
    message: `the run has ended: no person answered within ${hours} hour${hours === 1 ? '' : 's'}`,
  }
}

export function approvedCallChanged(path: string): Diagnostic {
  return {
    class: 'host error',
    code: 'approved-call-changed',
    message: `${path} was not called: the tool changed after the call was approved, or is no longer available`,
    hint: 'submit the program again to ask for a new approval',
  }
}

/** `got`: the program's call now. `version`: of the starbind that started the run, if it is another one. */
export function replayDiverged(got: string, version: string | undefined): Diagnostic {
  const before = version === undefined ? 'before' : `under starbind ${version}`
  return {
    class: 'host error',
    code: 'replay-diverged',
    message: `the program took a different path than ${before}: it called ${got} instead; that call was not made`,
    hint: 'submit the program again, and take into account what it has already done',
  }
}

export function cannotResume(runId: string, why: string): Diagnostic {
  return {
    class: 'host error',
    code: 'cannot-resume',
    message: `${runId} can't be resumed with the current servers and configuration: ${why}`,
    hint: 'make the servers and tools of its program available again; the run keeps waiting',
  }
}

export function credentialNotKept(runId: string): Diagnostic {
  return {
    class: 'host error',
    code: 'credential-not-kept',
    message: `${runId} can't be resumed: its program or an answer to it contains a credential of the configuration, and credentials are never written down`,
    hint: 'leave the credential out of the program: its server gets it from the configuration',
  }
}

export function ledgerFull(runId: string, mostCharacters: number): Diagnostic {
  return {
    class: 'limit',
    code: 'ledger-full',
    message: `${runId} can't wait or be resumed: the arguments and answers of its calls exceed ${mostCharacters} characters`,
    hint: 'read less in one program before the calls that a person is asked about',
  }
}

export function stillWaiting(runId: string): Diagnostic {
  return {
    class: 'paused',
    code: 'needs-approval',
    message: `${runId} waits for a person's answer`,
    hint: `executeToolCode(resume="${runId}") continues once they have answered`,
  }
}

export function noSuchRun(runId: string): Diagnostic {
  return { class: 'program error', code: 'no-such-run', message: `there is no run ${argumentText(runId)} here` }
}

export function runUnderway(runId: string): Diagnostic {
  return { class: 'program error', code: 'run-underway', message: `${runId} is running` }
}

export function runGivenUp(runId: string, losses: number): Diagnostic {
  return {
    class: 'host error',
    code: 'run-given-up',
    message: `${runId} was given up after ${losses} processes ended while they carried it out`,
    hint: 'look at the logs of the workers; they may have run out of memory',
  }
}

export function noQueue(what: string): Diagnostic {
  return {
    class: 'host error',
    code: 'no-queue',
    message: `${what} needs a queue of runs, and only runs that are kept in Redis have one`,
    hint: 'keep the runs in Redis: "state": "redis://…"',
  }
}

export function runTaken(runId: string): Diagnostic {
  return {
    class: 'host error',
    code: 'run-taken',
    message: `${runId} was stopped here, because another process has taken it over or ended it`,
    hint: `readToolFile("runs/${runId}") shows its progress, and its answer once it has ended`,
  }
}

export function nothingToAnswer(runId: string, why: string): Diagnostic {
  return {
    class: 'program error',
    code: 'nothing-to-answer',
    message: `${runId} can't be answered or resumed: ${why}`,
  }
}

export function runBegun(runId: string): string {
  return `${runId} runs in the background; readToolFile("runs/${runId}") shows its progress, and its answer once it has ended`
}

export const noOpenRuns = 'no run waits, and none is running'

export function runWaits(runId: string, owner: string): string {
  return `${runId} of ${owner} waits for a person's answer to`
}

export function runAnswered(runId: string, owner: string): string {
  return `${runId} of ${owner} was answered; executeToolCode(resume="${runId}") continues it`
}

export function runGoesOn(runId: string, calls: number): string {
  return `${runId} is running; calls so far: ${calls}`
}

export function runInterrupted(runId: string, calls: number): string {
  return `${runId} is not running; calls so far: ${calls}; executeToolCode(resume="${runId}") resumes it`
}

export function runQueued(runId: string, calls: number, lacks: string | null): string {
  const reason = lacks === null ? 'a worker' : `a worker with the server ${lacks}`
  return `${runId} waits for ${reason}; calls so far: ${calls}`
}

export function otherVersion(version: string): string {
  return `note: the run was begun by starbind ${version}`
}

// The answer.

/** The submission named no language, and the program is not in the default one. */
export function languageTaken(language: string): string {
  const name = language === 'javascript' ? 'JavaScript' : 'Starlark'
  return `note: the program was read as ${name}; language: "${language}" makes this explicit`
}

export const nothingRan = 'Nothing was run and no tool was called.'

export const nothingToShow =
  'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.'

function argumentText(value: unknown): string {
  if (value === undefined) return 'missing'
  return short(JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value) ?? typeof value)
}

/** The beginning of a text, as much as a message needs. */
function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Offers to reuse the results of this program's calls. */
export function reuseOffered(runId: string): string {
  return `retry: reuse="${runId}" takes the results of these calls instead of repeating them`
}

export function unknownRun(runId: string, known: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-run',
    message: `there is no failed run ${argumentText(runId)} whose calls could be reused`,
    hint:
      known.length > 0
        ? `runs that can be reused are ${known.slice(0, 5).join(', ')}`
        : 'submit the program without reuse',
  }
}

export function unknownArtifact(name: Said, nearest: readonly string[]): ForeignError {
  const { text, values } = said`no file ${name} is kept`
  return {
    kind: 'program',
    code: 'unknown-artifact',
    message: text,
    values,
    hint: nearest.length > 0 ? `did you mean ${nearest[0]}?` : 'artifacts.list() lists the kept files',
  }
}

export function artifactChanged(name: string): ForeignError {
  return {
    kind: 'program',
    code: 'artifact-changed',
    message: `${name} has other content by now`,
    values: [],
    hint: `read the current content: artifacts.open("${name}").read()`,
  }
}

export function artifactOverQuota(name: string, bytes: number, allowed: number): Diagnostic {
  return { class: 'limit', code: 'artifact-bytes', message: `${name} has ${bytes} bytes; the limit is ${allowed}` }
}

export function artifactTooLong(name: string, bytes: number, allowed: number): ForeignError {
  return {
    kind: 'limit',
    code: 'artifact-bytes',
    message: `${name} has ${bytes} bytes; the limit is ${allowed}`,
  }
}

export function resultName(name: Said): ForeignError {
  const { text, values } = said`artifacts.save: ${name} is the name of a run's result`
  return { kind: 'program', code: 'wrong-argument', message: text, values, hint: 'choose another name' }
}

export function wrongArtifact(argument: string, want: string): ForeignError {
  return { kind: 'program', code: 'wrong-argument', message: `artifacts: ${argument} must be ${want}`, values: [] }
}

export function unknownResult(name: Said, nearest: readonly string[]): ForeignError {
  const { text, values } = said`no result is kept for a run ${name}`
  return {
    kind: 'program',
    code: 'unknown-result',
    message: text,
    values,
    hint: nearest.length > 0 ? `did you mean ${nearest[0]}?` : 'results.list() lists the kept results',
  }
}

// Values that programs keep.

export function memoryFull({ keys, characters }: { readonly keys: number; readonly characters: number }): Diagnostic {
  return {
    class: 'limit',
    code: 'memory-full',
    message: `memory would hold more than ${characters} characters or ${keys} keys`,
    hint: 'delete values that are no longer needed: memory.delete(key)',
  }
}

export function valueKeyTooLong(length: number, longest: number): ForeignError {
  return {
    kind: 'program',
    code: 'wrong-argument',
    message: `memory.set: key has ${length} characters; the limit is ${longest}`,
    values: [],
  }
}

export const memoryOff: ForeignError = {
  kind: 'program',
  code: 'refused-name',
  message: 'memory is not available: this run keeps no values',
  values: [],
  hint: 'submit the program with state: "session"',
}

// Files and tools.

export function namesLeftOut(first: number, leftOut: number): string {
  return `[the first ${first} names are shown, ${leftOut} more are left out: ask for them in another call]`
}

export const noServers = 'No servers are connected, so programs have no tools to call.'

export function nothingMatches(query: string): string {
  return `No tool matches ${argumentText(query)}. Try other words, or listToolFiles() for all servers.`
}

export function unknownServer(name: string, nearest: readonly string[], known: readonly string[]): Diagnostic {
  const first = known.slice(0, 20).join(', ')
  const names = nearest.length > 0 ? nearest.join(', ') : first
  return {
    class: 'program error',
    code: 'unknown-server',
    message: `there is no server ${argumentText(name)}`,
    hint:
      known.length === 0
        ? 'no servers are connected'
        : `${nearest.length > 0 ? 'the nearest names are' : 'servers are'} ${names}`,
  }
}

export function serverUnavailable(name: string, reason: string): Diagnostic {
  return { class: 'host error', code: 'server-unavailable', message: `${name} can't be reached: ${reason}` }
}

export function unknownTool(server: string, name: string, nearest: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-tool',
    message: `server ${server} has no tool ${argumentText(name)}`,
    hint:
      nearest.length > 0
        ? `the nearest names are ${nearest.join(', ')}`
        : `listToolFiles(server="${server}") lists its tools`,
  }
}

export function ambiguousName(kind: string, name: string, meant: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'ambiguous-name',
    message: `${argumentText(name)} may mean more than one ${kind}: ${meant.slice(0, 8).join(', ')}`,
    hint: 'write one of them exactly',
  }
}

export function unknownFile(path: string, nearest: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-file',
    message: `there is no file ${argumentText(path)}`,
    hint: nearest.length > 0 ? `the nearest files are ${nearest.join(', ')}` : 'listToolFiles() shows the files',
  }
}

/** It ends the run; the program can't catch it. `path`: the tool as programs call it. */
export const endlessCalls = (path: string, times: number): Diagnostic => ({
  class: 'program error',
  code: 'endless-calls',
  message: `${path} was called ${times} times in a row with the same arguments, and gave the same answer each time`,
  hint: 'call it once, before the loop; to wait for a change, sleep between the calls',
})
