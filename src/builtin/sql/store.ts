// What a database answers, whatever it is.

/** A database as its tools see it. Every answer is JSON text; every failure is a Failure. */
export interface Stored {
  readonly kind: string
  rows(question: Question): Promise<string>
  execute(question: Omit<Question, 'limit'>): Promise<string>
  tables(signal: AbortSignal): Promise<string>
  describe(name: string, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

export interface Question {
  readonly sql: string
  readonly parameters: Parameters
  readonly limit: number | undefined
  readonly signal: AbortSignal
}

export type Parameters = readonly Value[] | Readonly<Record<string, Value>>
export type Value = string | number | boolean | null
