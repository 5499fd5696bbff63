// Starts the longest test files first, so that no process idles while another finishes a long file at the end. vitest
// itself sorts by the times of an earlier run, which a fresh checkout does not have.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** In `test/`, the longest first. */
const longest = [
  'conformance-mcp/client',
  'docs/readme',
  'docs/commands',
  'command-line/interrupted',
  'approvals/killed',
  'hosts/examples',
  'command-line/processes',
  'attack/held-loop',
  'gateway/long-answers',
  'meta-tools/read-ahead',
  'meta-tools/provenance',
  'natural/programs',
  'approvals/random-pauses',
  'interpreter/javascript/growth',
  'interpreter/python/programs',
  'attack/server-flood',
  'sandbox/event-loop',
  'interpreter/sweep/sweep',
  'interpreter/check/differential',
  'soak/soak',
  'attack/nested-programs',
  'growth/growth',
  'growth/answers',
  'bindings/stubs',
  'serving/load',
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
