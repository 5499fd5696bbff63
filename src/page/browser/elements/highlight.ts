// The colours of programs: the parsers of the editor, without the editor.

import { highlightCode, tagHighlighter, tags } from '@lezer/highlight'
import { parser as javascript } from '@lezer/javascript'
import { parser as python } from '@lezer/python'

export type Language = 'starlark' | 'javascript'

/** A piece of a line and the class that colours it. */
export type Piece = readonly [text: string, kind: string]

/** The classes of 3-code.css. */
export const colours = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], class: 'hl-keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'hl-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'hl-number' },
  { tag: tags.comment, class: 'hl-comment' },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.className], class: 'hl-name' },
])

/** Longer programs keep the colour of text: colouring them would hold the page. */
const MOST = 100_000

export function highlight(text: string, language: Language): readonly (readonly Piece[])[] | undefined {
  if (text.length > MOST) return undefined
  const lines: Piece[][] = [[]]
  const tree = (language === 'javascript' ? javascript : python).parse(text)
  const put = (piece: string, kind: string) => void lines.at(-1)!.push([piece, kind])
  highlightCode(text, tree, colours, put, () => void lines.push([]))
  return lines
}
