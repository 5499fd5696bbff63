// Answers that have to fit a schema: what the model is told, and what is wrong with what it wrote.

import type { ResultSchema, SchemaIssue } from '../index.js'

/** The longest answer that is parsed. */
const MOST_CHARS = 1_000_000
const MOST_PROBLEMS = 10

type CheckedAnswer<Answer> = { readonly value: Answer } | { readonly problems: string }

/** The instruction for the model, with the schema of what it writes, where its library can say it. */
export function answerInstruction(schema: ResultSchema<unknown>): string {
  const form = jsonSchemaOf(schema)
  const said = form === undefined ? '' : ` It must fit this JSON Schema: ${JSON.stringify(form)}`
  return `Write your final answer as JSON and nothing else.${said}`
}

function jsonSchemaOf(schema: ResultSchema<unknown>): object | undefined {
  const { jsonSchema } = schema['~standard'] as {
    readonly jsonSchema?: { input(options: object): object } | undefined
  }
  try {
    return jsonSchema?.input({ target: 'draft-2020-12' })
  } catch {
    // Some types have no JSON Schema.
    return undefined
  }
}

export async function checkAnswer<Answer>(text: string, schema: ResultSchema<Answer>): Promise<CheckedAnswer<Answer>> {
  if (text.length > MOST_CHARS) return { problems: `it has more than ${MOST_CHARS} characters` }
  let value: unknown
  try {
    value = JSON.parse(withoutFence(text))
  } catch (error) {
    return { problems: `it is not JSON: ${(error as Error).message}` }
  }
  const outcome = await schema['~standard'].validate(value)
  return outcome.issues === undefined
    ? { value: outcome.value }
    : { problems: outcome.issues.slice(0, MOST_PROBLEMS).map(problemText).join('; ') }
}

/** The content of a Markdown block that is the whole text. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed
  return trimmed.slice(trimmed.indexOf('\n') + 1, -3)
}

function problemText({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return keys === '' ? message : `${keys}: ${message}`
}
