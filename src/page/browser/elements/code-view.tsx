// A program, with its lines numbered, in colours once the highlighter is loaded.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Language, Piece } from './highlight.js'

export interface LineMark {
  /** From 1. */
  readonly line: number
  readonly kind: 'current' | 'error' | 'wait'
  readonly text?: string
}

interface Code {
  readonly text: string
  readonly language: Language
  readonly marks?: readonly LineMark[]
  /** What stands beside a line, such as the number of its calls. */
  readonly notes?: ReadonlyMap<number, string>
}

export function CodeView({ text, language, marks = [], notes = new Map() }: Code) {
  const [lines, setLines] = useState<readonly (readonly Piece[])[]>()
  const marked = useRef<HTMLLIElement>(null)
  useEffect(() => {
    let isWanted = true
    setLines(undefined)
    void import('./highlight.js').then(({ highlight }) => {
      if (isWanted) setLines(highlight(text, language))
    })
    return () => {
      isWanted = false
    }
  }, [text, language])
  const place = marks[0]?.line
  useEffect(() => {
    const [line, list] = [marked.current, marked.current?.parentElement]
    if (line == null || list == null || list.scrollHeight <= list.clientHeight) return
    list.scrollTop = line.offsetTop - list.clientHeight / 2
  }, [place])
  const plain = text.replace(/\n$/, '').split('\n')
  return (
    <ol class="code" tabIndex={0} aria-label="Program">
      {plain.map((line, at) => {
        const mark = marks.find((one) => one.line === at + 1)
        return (
          <li
            key={at}
            class={mark?.kind ?? ''}
            ref={at + 1 === place ? marked : null}
            aria-current={mark?.kind === 'current' ? 'step' : undefined}
          >
            <code>
              {lines?.[at]?.map(([piece, kind]) => (kind === '' ? piece : <span class={kind}>{piece}</span>)) ?? line}
            </code>
            {notes.has(at + 1) && <span class="note">{notes.get(at + 1)}</span>}
            {mark?.text !== undefined && <span class="said">{mark.text}</span>}
          </li>
        )
      })}
    </ol>
  )
}
