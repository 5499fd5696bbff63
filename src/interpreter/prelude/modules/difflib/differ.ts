// `Differ` and `ndiff`: the lines of both texts, with a line of marks below similar lines.
// Invariant: the lines with `- ` and two spaces are the first text, those with `+ ` and two spaces the second.

import { Matcher } from './matcher.js'

/** Says whether a line, or a character, is of no importance for what matches. */
export type Junk = ((x: string) => boolean) | undefined

interface Texts {
  readonly a: readonly string[]
  readonly b: readonly string[]
  readonly characterJunk: Junk
}

/** From and to in the first text, from and to in the second. */
type Part = readonly [alo: number, ahi: number, blo: number, bhi: number]

const matcher = (a: readonly string[], b: readonly string[], junk: Junk): Matcher =>
  new Matcher(a, b, junk === undefined ? undefined : (x) => junk(x as string), true)

/** All lines of both texts, each behind two characters that say whose it is. */
export function compareLines(
  a: readonly string[],
  b: readonly string[],
  lineJunk: Junk,
  characterJunk: Junk,
): string[] {
  const texts = { a, b, characterJunk }
  return matcher(a, b, lineJunk)
    .opcodes()
    .flatMap((c) => {
      if (c.tag === 'equal') return marked(' ', a.slice(...c.a))
      return replaced(texts, [...c.a, ...c.b])
    })
}

const marked = (mark: string, lines: readonly string[]): string[] => lines.map((line) => `${mark} ${line}`)

/**
 * Lines that stand for each other: the two that are most alike are shown as one changed, and what is before and after
 * them in the same way.
 */
function replaced(texts: Texts, [alo, ahi, blo, bhi]: Part): string[] {
  const { a, b } = texts
  if (alo === ahi) return marked('+', b.slice(blo, bhi))
  if (blo === bhi) return marked('-', a.slice(alo, ahi))
  const best = mostAlike(texts, [alo, ahi, blo, bhi])
  if (best === undefined) {
    const [gone, come] = [marked('-', a.slice(alo, ahi)), marked('+', b.slice(blo, bhi))]
    return bhi - blo < ahi - alo ? [...come, ...gone] : [...gone, ...come]
  }
  const [i, j] = best
  return [
    ...replaced(texts, [alo, i, blo, j]),
    ...(a[i] === b[j] ? [`  ${a[i]}`] : changedLine(a[i]!, b[j]!, texts.characterJunk)),
    ...replaced(texts, [i + 1, ahi, j + 1, bhi]),
  ]
}

/** The first pair of the most similar lines: similar ones if there are any, otherwise the first that are equal. */
function mostAlike({ a, b, characterJunk }: Texts, [alo, ahi, blo, bhi]: Part): [number, number] | undefined {
  let ratio = 0.74
  let best: [number, number] | undefined
  let same: [number, number] | undefined
  for (let j = blo; j < bhi; j++) {
    for (let i = alo; i < ahi; i++) {
      if (a[i] === b[j]) {
        same ??= [i, j]
        continue
      }
      const m = matcher([...a[i]!], [...b[j]!], characterJunk)
      if (m.boundRatio() <= ratio || m.quickRatio() <= ratio || m.ratio() <= ratio) continue
      ratio = m.ratio()
      best = [i, j]
    }
  }
  return ratio < 0.75 ? same : best
}

function changedLine(from: string, to: string, junk: Junk): string[] {
  let [gone, come] = ['', '']
  for (const c of matcher([...from], [...to], junk).opcodes()) {
    const [n, m] = [c.a[1] - c.a[0], c.b[1] - c.b[0]]
    gone += (c.tag === 'equal' ? ' ' : c.tag === 'replace' ? '^' : '-').repeat(n)
    come += (c.tag === 'equal' ? ' ' : c.tag === 'replace' ? '^' : '+').repeat(m)
  }
  const below = (line: string, marks: string): string[] => {
    const kept = [...line].map((c, i) => (marks[i] === ' ' && /\s/.test(c) ? c : (marks[i] ?? ''))).join('')
    const text = kept.trimEnd()
    return text === '' ? [] : [`? ${text}\n`]
  }
  return [`- ${from}`, ...below(from, gone), `+ ${to}`, ...below(to, come)]
}

/** One of the two texts that a comparison shows. */
export function restoredLines(delta: readonly string[], which: 1 | 2): string[] {
  const mark = which === 1 ? '- ' : '+ '
  return delta.filter((line) => line.startsWith(mark) || line.startsWith('  ')).map((line) => line.slice(2))
}
