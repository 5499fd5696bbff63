// Marks the values in a message. The code that shows the message decides which of them the reader may see.
// Invariant: marks are ordered, disjoint, within their text, and bounded in number.

/**
 * A value in a text: `[start, end, instead, plain?]` in UTF-16 units, `end` exclusive. `instead` describes the value
 * without its content (`a str of 11 characters (letters, spaces)`). A reader who has seen `plain` may see the value;
 * without `plain`, no reader may.
 */
export type MarkedValue =
  | readonly [start: number, end: number, instead: string]
  | readonly [start: number, end: number, instead: string, plain: string | readonly string[]]

/** The values in the two texts of a diagnostic; absent for a text without marks. */
export interface MarkedTexts {
  readonly message?: readonly MarkedValue[]
  readonly hint?: readonly MarkedValue[]
}

/** The maximum number of marks in a text. A message with more values marks a longer part as one value. */
export const MOST_VALUES = 200

/** Whether the marks fit the text. */
export function areMarks(values: readonly MarkedValue[], text: string): boolean {
  let at = 0
  return (
    values.length <= MOST_VALUES &&
    values.every(([start, end]) => {
      const fits = Number.isInteger(start) && Number.isInteger(end) && at <= start && start <= end
      at = end
      return fits && end <= text.length
    })
  )
}

/** The marks, moved to the right. */
export function shifted(values: readonly MarkedValue[], by: number): readonly MarkedValue[] {
  return values.map(([start, end, instead, ...plain]): MarkedValue => [start + by, end + by, instead, ...(plain as [])])
}

/** The text with each unknown value replaced by its description. */
export function withheld(text: string, values: readonly MarkedValue[], isKnown: (plain: string) => boolean): string {
  let shown = ''
  let at = 0
  for (const [start, end, instead, plain] of values) {
    shown += text.slice(at, start)
    shown += plain !== undefined && [plain].flat().every(isKnown) ? text.slice(start, end) : instead
    at = end
  }
  return shown + text.slice(at)
}
