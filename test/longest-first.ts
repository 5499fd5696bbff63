// Starts the longest test files first, so that no process idles while another finishes a long file at the end. vitest
// itself sorts by the times of an earlier run, which a fresh checkout does not have.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** In `test/`, the longest first. */
const longest = [
  'docs/readme',
  'command-line/interrupted',
  'gateway/processes',
  'docs/commands',
  'attack/held-loop',
  'meta-tools/provenance',
  'natural/programs',
  'page/browser',
  'command-line/run',
  'command-line/remembered',
  'library/background-runs',
  'serving/replicas-under-faults',
  'builtin/shell',
  'builtin/sql',
  'state/redis-trouble',
  'conformance-mcp/client',
  'gateway/long-messages',
  'interpreter/python/programs',
  'approvals/killed',
  'library/saved-programs',
  'conformance/conformance',
  'command-line/serve',
  'approvals/approvals',
  'interpreter/javascript/growth',
  'serving/direct',
  'gateway/lazy-starts',
  'gateway/long-answers',
  'interpreter/check/differential',
  'meta-tools/read-ahead',
  'soak/soak',
  'gateway/login',
  'attack/nested-programs',
  'serving/load',
  'approvals/random-pauses',
  'command-line/arguments',
  'attack/server-flood',
  'sandbox/thread-clock',
  'growth/growth',
  'attack/next-to-nothing',
  'approvals/terminal',
  'approvals/changed',
  'library/world',
  'library/shared-files',
  'bindings/stubs',
  'gateway/faults',
  'interpreter/sweep/sweep',
  'command-line/completion',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}
