// The `Intl` objects of guests. Creating one takes much time and memory, so some are cached.

import { domainToASCII } from 'node:url'

/** A guest's question to an object of `Intl`, or to `Intl` itself if `kind` is absent. */
export interface FormatQuestion {
  readonly kind?: string
  readonly locales?: string | readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  /** Absent: the guest asks only whether such an object exists, and for its resolved options. */
  readonly method?: string
  readonly args?: readonly Argument[]
}

/** An argument. JSON has no form for some numbers and for big integers. */
type Argument =
  | string
  | number
  | boolean
  | null
  | readonly Argument[]
  | { readonly number: string }
  | { readonly integer: string }

type Formatter = Readonly<Record<string, (...args: unknown[]) => unknown>>
type FormatterClass = new (locales: unknown, options: unknown) => Formatter

const KEPT = 24
const kept = new Map<string, Formatter>()

/** The permitted methods of each class. */
const methods: Readonly<Record<string, readonly string[]>> = {
  Collator: ['compare'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  DisplayNames: ['of'],
  ListFormat: ['format', 'formatToParts'],
  Locale: ['maximize', 'minimize'],
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  PluralRules: ['select', 'selectRange'],
  RelativeTimeFormat: ['format', 'formatToParts'],
  Segmenter: ['segment'],
}
const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  asciiHost: (host) => domainToASCII(String(host)),
  getCanonicalLocales: (locales) => Intl.getCanonicalLocales(locales as string[]),
  supportedValuesOf: (key) => Intl.supportedValuesOf(key as 'calendar'),
  toLocaleLowerCase: (text, locales) => String(text).toLocaleLowerCase(locales as string[]),
  toLocaleUpperCase: (text, locales) => String(text).toLocaleUpperCase(locales as string[]),
}

export function answerOf({ kind, locales, options, method, args = [] }: FormatQuestion): unknown {
  const given = args.map(read)
  if (kind === undefined) return functions[method ?? '']?.(...given)
  const allowed = Object.hasOwn(methods, kind) ? methods[kind]! : []
  if (method === 'supportedLocalesOf')
    return (Intl as unknown as Record<string, typeof Intl.Collator>)[kind]!.supportedLocalesOf(
      locales as string[],
      options,
    )
  const formatter = formatterOf(kind, locales, options)
  if (method === undefined)
    return kind === 'Locale' ? localeRecord(formatter as unknown as Intl.Locale) : formatter.resolvedOptions!()
  if (!allowed.includes(method)) throw new TypeError(`Intl.${kind} has no ${method}`)
  const answer = formatter[method]!(...given)
  // Each segment also has the whole text as its `input`, which is dropped.
  if (kind === 'Segmenter')
    return Array.from(answer as Intl.Segments, ({ segment, index, isWordLike }) => ({ segment, index, isWordLike }))
  return kind === 'Locale' ? localeRecord(answer as Intl.Locale) : answer
}

function formatterOf(kind: string, locales: unknown, options: unknown): Formatter {
  const key = JSON.stringify([kind, locales, options])
  let formatter = kept.get(key)
  if (formatter === undefined) {
    const made = (Intl as unknown as Record<string, FormatterClass | undefined>)[kind]
    if (made === undefined || !Object.hasOwn(methods, kind)) throw new TypeError(`Intl.${kind} is not a constructor`)
    formatter = new made(locales, options)
    for (const oldest of kept.keys()) if (kept.size >= KEPT) kept.delete(oldest)
  } else kept.delete(key)
  // The most recently used formatter is evicted last.
  kept.set(key, formatter)
  return formatter
}

function localeRecord(locale: Intl.Locale): object {
  const { language, script, region, baseName, calendar, collation, hourCycle, caseFirst, numeric, numberingSystem } =
    locale
  const text = locale.toString()
  return {
    text,
    language,
    script,
    region,
    baseName,
    calendar,
    collation,
    hourCycle,
    caseFirst,
    numeric,
    numberingSystem,
  }
}

function read(argument: Argument): unknown {
  if (Array.isArray(argument)) return argument.map(read)
  if (typeof argument !== 'object' || argument === null) return argument
  return 'integer' in argument ? BigInt(argument.integer) : Number((argument as { readonly number: string }).number)
}
