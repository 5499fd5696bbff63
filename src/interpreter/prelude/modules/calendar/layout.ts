// Months and years as rows of weeks, as numbers and as text. Invariant: a week has seven days, and 0 is a day outside
// the month.

import { fill } from '../../text/fill.js'
import { daysInMonth, MONTHS, toOrdinal, WEEKDAYS, weekdayOf } from '../datetime/days.js'

/** The width of a day in characters, and the number of lines of a week. */
export interface Spacing {
  readonly width: number
  readonly lines: number
}

/** The layout of the months of a year side by side: their number in a row, and the spaces between them. */
export interface YearSpacing extends Spacing {
  readonly between: number
  readonly months: number
}

/**
 * The days of a month's weeks, as days of that month. Numbers below 1 and beyond its end belong to the months around
 * it.
 */
export function weeksAround(year: number, month: number, first: number): number[][] {
  const before = (weekdayOf(toOrdinal(year, month, 1)) - first + 7) % 7
  const n = daysInMonth(year, month)
  const weeks: number[][] = []
  for (let day = 1 - before; day <= n; day += 7) weeks.push([0, 1, 2, 3, 4, 5, 6].map((i) => day + i))
  return weeks
}

/** The same weeks, with 0 for the days of other months. */
export function weeksOf(year: number, month: number, first: number): number[][] {
  const n = daysInMonth(year, month)
  return weeksAround(year, month, first).map((week) => week.map((day) => (day >= 1 && day <= n ? day : 0)))
}

export const weekdaysFrom = (first: number): number[] => [0, 1, 2, 3, 4, 5, 6].map((i) => (first + i) % 7)

export function centred(text: string, width: number): string {
  const blanks = Math.max(0, width - text.length)
  const left = (blanks >> 1) + (blanks & width & 1)
  return fill(' ', left) + text + fill(' ', blanks - left)
}

export function weekHeader(first: number, width: number): string {
  const names = WEEKDAYS.map((name) => (width >= 9 ? name : name.slice(0, 3)).slice(0, width))
  return weekdaysFrom(first)
    .map((day) => centred(names[day]!, width))
    .join(' ')
}

const weekText = (week: readonly number[], width: number): string =>
  week.map((day) => centred(day === 0 ? '' : String(day).padStart(2), width)).join(' ')

/** A month as lines: its name, the days of the week, its weeks. */
export function monthText(year: number, month: number, first: number, spacing: Spacing): string {
  const width = Math.max(2, spacing.width)
  const lines = [
    centred(`${MONTHS[month - 1]} ${year}`, 7 * (width + 1) - 1),
    weekHeader(first, width),
    ...weeksOf(year, month, first).map((week) => weekText(week, width)),
  ]
  return lines.map((line) => line.trimEnd() + fill('\n', Math.max(1, spacing.lines))).join('')
}

/** A year as lines, its months side by side. */
export function yearText(year: number, first: number, spacing: YearSpacing): string {
  const width = Math.max(2, spacing.width)
  const column = 7 * (width + 1) - 1
  const between = fill(' ', Math.max(2, spacing.between))
  const end = fill('\n', Math.max(1, spacing.lines))
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell) => centred(cell, column))
      .join(between)
      .trimEnd() + end
  const whole = column * spacing.months + between.length * (spacing.months - 1)
  let text = centred(String(year), whole).trimEnd() + end
  for (let start = 1; start <= 12; start += spacing.months) {
    const months = MONTHS.slice(start - 1, start - 1 + spacing.months)
    const weeks = months.map((_, i) => weeksOf(year, start + i, first))
    text += end + row(months) + row(months.map(() => weekHeader(first, width)))
    for (let i = 0; i < Math.max(...weeks.map((w) => w.length)); i++) {
      text += row(weeks.map((w) => weekText(w[i] ?? [], width)))
    }
  }
  return text
}
