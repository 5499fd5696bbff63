// Begins with the test files that take longest: one that is begun last is waited for by processes that have nothing to
// do. vitest itself goes by what it kept of an earlier run, which a fresh checkout has not.

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
