// The suite's frozen requirements of both eras against starbind's server and its client, and docs/conformance-mcp.md,
// which says what fails and why. `UPDATE_GOLDEN=1` writes the document.

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode, type HttpServing } from '../../dist/index.js'
import { isLong } from '../random.js'
import { type ClientPlace, openClientPlace } from './client-place.js'

const root = path.resolve(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/mcp-conformance-next/dist/index.js')
const document = path.join(root, 'docs/conformance-mcp.md')
const revisions = ['2025-11-25', '2026-07-28'] as const

const KEYS =
  'the fixture has to name its questions, and the suite answers by these names without asking first. The questions ' +
  'of servers behind starbind have names and a state of starbind’s own. test/serving/both-eras.test.ts shows them.'
const TASKS =
  'it needs tools that become tasks. Programs become tasks here, and tools that are passed through do not. ' +
  'test/serving/tasks.test.ts shows them.'

const DPOP = 'an extension for tokens that are bound to a key of the client. starbind sends bearer tokens.'

/** Why scenarios fail. */
const reasons: Readonly<Record<string, string>> = {
  'server-stateless':
    'three checks need tools that only probe an SDK: test_missing_capability, test_streaming_elicitation and tools ' +
    'that change the lists. A server whose caller can’t answer is told so, and may answer without.',
  'input-required-result-basic-elicitation': KEYS,
  'input-required-result-basic-sampling': KEYS,
  'input-required-result-basic-list-roots': KEYS,
  'input-required-result-request-state': KEYS,
  'input-required-result-multiple-input-requests': KEYS,
  'input-required-result-multi-round': KEYS,
  'input-required-result-non-tool-request': KEYS,
  'input-required-result-result-type': KEYS,
  'input-required-result-tampered-state': KEYS,
  'input-required-result-capability-check': KEYS,
  'tasks-lifecycle': TASKS,
  'tasks-capability-negotiation': TASKS,
  'tasks-wire-fields': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-mrtr-composition': TASKS,
  'auth/dpop': DPOP,
  'auth/dpop-nonce': DPOP,
  'auth/enterprise-managed-authorization':
    'an extension for logins through the identity provider of a company. A person logs in to starbind’s servers, or ' +
    'starbind uses an account of its own.',
  'auth/wif-jwt-bearer':
    'an extension for workloads that the platform identifies. starbind has the grants `authorization_code` and ' +
    '`client_credentials`.',
}

/** Both ends of starbind, with a text about what they are tested with. */
const sides = {
  server: 'The scenarios of a server: the gateway passes them on to a fixture server of the earlier era.',
  client: 'The scenarios of a client: starbind connects to the servers of the suite, and logs in where they want it.',
} as const
type Side = keyof typeof sides

let codeMode: CodeMode
let serving: HttpServing
let place: ClientPlace
beforeAll(async () => {
  const args = [path.join(root, 'test/conformance-mcp/fixture-server.mjs')]
  codeMode = await CodeMode.open({
    servers: { fixture: { command: process.execPath, args, codeMode: false, resources: true, prompts: true } },
    serve: { port: 0 },
    callersAnswer: true,
  })
  serving = await codeMode.serveHttp()
  place = await openClientPlace()
})
afterAll(async () => {
  place.close()
  await codeMode.close()
})

/** The scenarios that a revision requires of one side, each with whether it passes. */
async function outcomes(side: Side, revision: string): Promise<Map<string, boolean>> {
  const hook = path.join(root, 'test/conformance-mcp/fs-glob-hook.mjs')
  const target = side === 'server' ? ['--url', `${serving.url}/fixture`] : place.options
  const args = ['--import', hook, suite, side, ...target, '--requirements', revision]
  // Exit status 1 says that something failed.
  const printed = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout)),
  )
  const lines = stripVTControlCharacters(printed).matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)
  return new Map([...lines].map(([, mark, name]) => [name!, mark === '✓']))
}

/** The same, tried again if something fails without a reason: the suite waits only a few seconds for some answers. */
async function patientOutcomes(side: Side, revision: string): Promise<Map<string, boolean>> {
  const first = await outcomes(side, revision)
  for (let tries = 1; tries < 5 && [...first].some(([name, passed]) => !passed && !(name in reasons)); tries++)
    for (const [name, passed] of await outcomes(side, revision)) first.set(name, passed || first.get(name) === true)
  return first
}

interface Results {
  readonly side: Side
  readonly revision: string
  readonly scenarios: ReadonlyMap<string, boolean>
}

function documentOf(results: readonly Results[]): string {
  const sections = results.flatMap(({ side, revision, scenarios }) => {
    const failed = [...scenarios].filter(([, isPassed]) => !isPassed).map(([name]) => name)
    const rows = failed.map((name) => `| \`${name}\` | ${reasons[name]} |`)
    const table = rows.length === 0 ? [] : ['', '| fails | because |', '| --- | --- |', ...rows]
    const count = `${scenarios.size - failed.length} of ${scenarios.size} scenarios pass.`
    const head = revision === revisions[0] ? ['', `## The ${side}`, '', sides[side]] : []
    return [...head, '', `### ${revision}`, '', count, ...table]
  })
  return `${[
    '# Conformance to the Model Context Protocol',
    '',
    'The scenarios of `@modelcontextprotocol/conformance` that each revision requires. A scenario passes if all of its',
    'checks do. `npm run conformance:mcp` runs them.',
    ...sections,
  ].join('\n')}\n`
}

it.runIf(isLong || process.env.UPDATE_GOLDEN === '1')(
  'meets the requirements of both eras, but for what is explained',
  async () => {
    const results: Results[] = []
    for (const side of ['server', 'client'] as const)
      for (const revision of revisions)
        results.push({ side, revision, scenarios: await patientOutcomes(side, revision) })
    const unexplained = results.flatMap(({ scenarios }) =>
      [...scenarios].filter(([name, passed]) => passed === name in reasons).map(([name]) => name),
    )
    expect(unexplained).toEqual([])
    expect(results.map(({ scenarios }) => scenarios.size > 15)).toEqual([true, true, true, true])
    const text = documentOf(results)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(document, text)
    expect(readFileSync(document, 'utf8')).toBe(text)
  },
)
