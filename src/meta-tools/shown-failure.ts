// Decides which values a failure shows. A value is shown if the model has it already: in the program, in its output, or
// in tool signatures. Otherwise its type and size replace it. A failure that the program raises itself is in its own
// words and is shown unchanged.

import { type BoundServer, type CallRecord, schemaWords } from '../bindings/index.js'
import { type Diagnostic, type MarkedTexts, type MarkedValue, withheld } from '../diagnostics/index.js'
import { type Explained, type Language, type Program, wholeText } from '../interpreter/index.js'
import { builtinWords } from '../interpreter/stages.js'

interface FailedRun {
  readonly program: Program
  readonly logs: readonly string[]
  readonly ledger: readonly Pick<CallRecord, 'server' | 'tool' | 'ok'>[]
  readonly servers: readonly BoundServer[]
}

/** Withholds values only if a tool has answered. */
export function shownFailure(failure: Explained, run: FailedRun): Diagnostic {
  const { diagnostic, values, isOwn } = failure
  if (isOwn === true || !run.ledger.some((record) => record.ok)) return diagnostic
  if (values === undefined && diagnostic.class !== 'program error') return diagnostic
  return withholding(diagnostic, values ?? unmarked(diagnostic), knownOnce(diagnostic, run), run.program.language)
}

/** An unmarked text may quote anything. */
function unmarked({ message, hint = '' }: Diagnostic): MarkedTexts {
  return { message: [[0, message.length, 'the program failed']], hint: [[0, hint.length, '']] }
}

const PRINT: Readonly<Record<Language, string>> = { starlark: 'print(repr(…))', javascript: 'console.log(…)' }

function withholding(
  diagnostic: Diagnostic,
  values: MarkedTexts,
  isKnown: (plain: string) => boolean,
  language: Language,
): Diagnostic {
  const message = withheld(diagnostic.message, values.message ?? [], isKnown)
  const hint = shownHint(diagnostic.hint, values.hint ?? [], isKnown)
  if (message === diagnostic.message && hint === diagnostic.hint) return diagnostic
  return {
    ...diagnostic,
    message,
    hint: hint ?? `values are shown only where the program prints them: ${PRINT[language]} before this line`,
  }
}

/** Undefined if too little would be left of the hint. */
function shownHint(
  hint: string | undefined,
  values: readonly MarkedValue[],
  isKnown: (plain: string) => boolean,
): string | undefined {
  if (hint === undefined) return undefined
  const shown = withheld(hint, values, isKnown)
  const isWhole = values.length === 1 && values[0]![1] - values[0]![0] === hint.length
  return shown === hint || isWhole ? shown : undefined
}

/** Words that a model knows from other sources than its program. */
interface Known {
  /** Declared in the schema of a tool. */
  readonly isField: (word: string) => boolean
  /** The name of a type, a builtin, a method. */
  readonly isBuiltin: (word: string) => boolean
}

function knownIn({ message }: Diagnostic, run: FailedRun): Known {
  const tools = toolsNamed(message, run)
  return {
    isField: (word) => tools.some((tool) => schemaWords(tool).has(word)),
    isBuiltin: (word) => builtinWords(run.program.language).has(word),
  }
}

/** The length of a message's beginning that is searched for names of tools. */
const NAMED_WITHIN = 500

/** The tools that answered, and those that the message names. */
function toolsNamed(message: string, { ledger, servers }: FailedRun) {
  const answered = new Set(ledger.map(({ server, tool }) => JSON.stringify([server, tool])))
  const beginning = message.slice(0, NAMED_WITHIN)
  return servers.flatMap(({ name, source, tools }) => {
    const isNamed = beginning.includes(`${name}.`)
    return tools
      .filter(
        (one) =>
          (isNamed && beginning.includes(`${name}.${one.name}`)) ||
          answered.has(JSON.stringify([source.name, one.tool.name])),
      )
      .map((one) => one.tool)
  })
}

/** The number of values that are searched for; the others are withheld. */
const MOST_LOOKED_FOR = 40
/** The longest text that is searched for, in characters. */
const LONGEST = 1_000

function knownOnce(diagnostic: Diagnostic, run: FailedRun): (plain: string) => boolean {
  const { isField, isBuiltin } = knownIn(diagnostic, run)
  const { program, logs } = run
  const answers = new Map<string, boolean>()
  return (plain) => {
    let isKnown = answers.get(plain)
    if (isKnown === undefined) {
      if (answers.size >= MOST_LOOKED_FOR || plain.length > LONGEST) return false
      isKnown = isField(plain) || isBuiltin(plain) || [wholeText(program), ...logs].some((text) => stands(plain, text))
      answers.set(plain, isKnown)
    }
    return isKnown
  }
}

/** True if the text contains the value, except as a part of a longer number. */
function stands(plain: string, text: string): boolean {
  for (let at = text.indexOf(plain), tries = 0; at >= 0 && tries < 1000; at = text.indexOf(plain, at + 1), tries++)
    if (!continues(text[at - 1], plain[0]) && !continues(plain.at(-1), text[at + plain.length])) return true
  return false
}

/** True if both characters belong to one number. */
function continues(one: string | undefined, next: string | undefined): boolean {
  return one !== undefined && next !== undefined && /^(?:[\d.]\d|\d\.)$/.test(one + next)
}
