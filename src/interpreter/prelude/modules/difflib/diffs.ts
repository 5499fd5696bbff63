// Two texts of lines as unified and as context diffs. Invariant: sides without a difference give no line at all.

import { key } from '../../containers/keys.js'
import type { Value } from '../../values/values.js'
import { Matcher } from './matcher.js'

export interface Sides {
  readonly a: readonly Value[]
  readonly b: readonly Value[]
  readonly names: readonly [string, string]
  readonly dates: readonly [string, string]
  readonly n: number
  readonly end: string
}

function heading({ names, dates, end }: Sides, marks: readonly [string, string]): string[] {
  return marks.map((mark, i) => `${mark} ${names[i]}${dates[i] === '' ? '' : `\t${dates[i]}`}${end}`)
}

/** The lines of a unified diff. */
export function unifiedDiff(s: Sides): string[] {
  const out: string[] = []
  for (const group of new Matcher(s.a.map(key), s.b.map(key), undefined, true).groups(s.n)) {
    if (out.length === 0) out.push(...heading(s, ['---', '+++']))
    const [first, last] = [group[0]!, group.at(-1)!]
    const range = (from: number, to: number): string =>
      to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`
    out.push(`@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@${s.end}`)
    for (const c of group) {
      if (c.tag === 'equal') for (const x of s.a.slice(...c.a)) out.push(` ${x as string}`)
      if (c.tag === 'replace' || c.tag === 'delete') for (const x of s.a.slice(...c.a)) out.push(`-${x as string}`)
      if (c.tag === 'replace' || c.tag === 'insert') for (const x of s.b.slice(...c.b)) out.push(`+${x as string}`)
    }
  }
  return out
}

/** The lines of a context diff: what goes and what comes, one after the other. */
export function contextDiff(s: Sides): string[] {
  const out: string[] = []
  for (const group of new Matcher(s.a.map(key), s.b.map(key), undefined, true).groups(s.n)) {
    if (out.length === 0) out.push(...heading(s, ['***', '---']))
    const [first, last] = [group[0]!, group.at(-1)!]
    const part = (lines: readonly Value[], side: 'a' | 'b', other: 'insert' | 'delete'): string[] =>
      group.every((c) => c.tag === 'equal' || c.tag === other)
        ? []
        : group
            .filter((c) => c.tag !== other)
            .flatMap((c) => lines.slice(...c[side]).map((x) => `${contextMarks[c.tag]} ${x as string}`))
    out.push(`***************${s.end}`, `*** ${contextRange(first.a[0], last.a[1])} ****${s.end}`)
    out.push(...part(s.a, 'a', 'insert'))
    out.push(`--- ${contextRange(first.b[0], last.b[1])} ----${s.end}`)
    out.push(...part(s.b, 'b', 'delete'))
  }
  return out
}

const contextMarks = { equal: ' ', replace: '!', delete: '-', insert: '+' } as const

function contextRange(from: number, to: number): string {
  const first = to > from ? from + 1 : from
  return to - from <= 1 ? `${first}` : `${first},${to}`
}
