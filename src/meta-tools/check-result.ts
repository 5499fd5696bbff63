// Checks a run's result against the caller's schema (Standard Schema).
// Invariant: a fitting result is the schema's output, and the report of the run is the same whether it fits or not.

import { renderDiagnostics } from '../diagnostics/index.js'
import { resultMisfit } from './messages.js'
import { type RunResult, runError } from './run-result.js'

/**
 * A schema of zod, valibot, arktype or any other library that implements Standard Schema.
 *
 * @example
 * import { CodeMode, type ResultSchema } from 'starbind'
 * import { z } from 'zod'
 *
 * const resultSchema: ResultSchema<{ total: number }> = z.object({ total: z.number() })
 * await using codeMode = await CodeMode.open()
 * const run = await codeMode.run('result = {"total": 3}', { resultSchema })
 * if (run.ok) console.log(run.result.total)
 */
export interface ResultSchema<Result> {
  readonly '~standard': {
    validate(value: unknown): SchemaOutcome<Result> | Promise<SchemaOutcome<Result>>
    readonly types?: { readonly output: Result } | undefined
  }
}

/**
 * The result of validating a value.
 *
 * @example
 * import type { ResultSchema, SchemaOutcome } from 'starbind'
 *
 * const validate = (value: unknown): SchemaOutcome<number> =>
 *   typeof value === 'number' ? { value } : { issues: [{ message: 'no number' }] }
 * export const number: ResultSchema<number> = { '~standard': { validate } }
 */
export type SchemaOutcome<Result> =
  | { readonly value: Result; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/**
 * One mismatch between a value and its schema.
 *
 * @example
 * import type { SchemaIssue } from 'starbind'
 *
 * export const describe = ({ path = [], message }: SchemaIssue) => `${path.join('.')}: ${message}`
 */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * The run with the schema's output as its result, or as a failure that names the mismatches. Failures stay as they are.
 */
export async function checkResult<Result>(run: RunResult, schema: ResultSchema<Result>): Promise<RunResult<Result>> {
  if (!run.ok) return run
  const outcome = await schema['~standard'].validate(run.result)
  if (outcome.issues === undefined) return { ...run, result: outcome.value }
  const diagnostic = resultMisfit(outcome.issues.map(problemText))
  const report = [renderDiagnostics([diagnostic]), run.report].filter(Boolean).join('\n')
  return { ...run, ok: false, result: null, error: runError(diagnostic), report }
}

function problemText({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part))
  return `result${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}: ${message}`
}
