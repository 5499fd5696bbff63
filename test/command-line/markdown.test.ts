// Markdown in the colours of a terminal, while it is being written.

import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { MarkdownText } from '../../dist/command-line/markdown.js'
import { random } from '../random.js'

const colours = pc.createColors(true)
const { bold, cyan, dim, italic, strikethrough, underline } = colours

function inPieces(pieces: readonly string[], painted = colours): string {
  const text = new MarkdownText(painted)
  return pieces.map((piece) => text.push(piece)).join('') + text.end()
}

/** What a person reads. */
const bare = (text: string) => text.replace(/\x1b\[\d+m/g, '')

describe('Markdown', () => {
  it.each([
    ['plain words, snake_case_names and 5 * 3 * 2', 'plain words, snake_case_names and 5 * 3 * 2'],
    [
      '**bold**, *italic*, _too_, ~~gone~~',
      `${bold('bold')}, ${italic('italic')}, ${italic('too')}, ${strikethrough('gone')}`,
    ],
    ['`code **as it is**` and \\*stars\\*', `${cyan('code **as it is**')} and *stars*`],
    ['[docs](https://a.b/c)', `${underline('docs')} ${dim('(https://a.b/c)')}`],
    ['# Title', bold(underline('Title'))],
    ['### Part', bold('Part')],
    ['- item\n  1. first', `${cyan('•')} item\n  ${cyan('1. ')}first`],
    ['> said', `${dim('│ ')}${dim('said')}`],
    ['---', dim('─'.repeat(40))],
    ['```js\nlet **x**\n```', `${dim('```js')}\n${cyan('let **x**')}\n${dim('```')}`],
    ['an unfinished **marker', 'an unfinished **marker'],
  ])('%j', (given, want) => {
    expect(inPieces([given])).toBe(`${want}\n`)
  })

  it('shows a table at its end, in columns', () => {
    const table = '| name | n |\n| --- | ---: |\n| **tea** | 3 |\n| a\\|b | 12 |\n'
    expect(bare(inPieces([`${table}below`]))).toBe('name   n\ntea    3\na|b   12\nbelow\n')
    expect(bare(inPieces(['| no table\n| is here |\n']))).toBe('| no table\n| is here |\n')
  })

  it('reads the same in whatever pieces it comes', () => {
    const whole =
      '# A title\n\nSome **bold words** and `code` with [a link](https://x.y), *more*\nof it.\n\n' +
      '| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n\n```py\nx = "**"\n\ny = 1\n```\n> end ~~it~~'
    const want = bare(inPieces([whole]))
    const { below, seed } = random()
    for (let i = 0; i < 50; i++) {
      const pieces: string[] = []
      for (let at = 0; at < whole.length; ) {
        const next = at + 1 + below(8)
        pieces.push(whole.slice(at, next))
        at = next
      }
      expect(bare(inPieces(pieces)), `seed ${seed}`).toBe(want)
    }
  })

  it('shows words before their line has ended', () => {
    const text = new MarkdownText(colours)
    expect([text.push('Some words '), text.push('and **bo'), text.push('ld** ones')]).toEqual([
      'Some words ',
      'and ',
      `${bold('bold')} `,
    ])
    expect(text.end()).toBe('ones\n')
  })

  it('is the text itself without colours, and never moves on the screen', () => {
    const plain = pc.createColors(false)
    expect(inPieces(['**as', ' it** is'], plain)).toBe('**as it** is\n')
    expect(inPieces(['\x1b[2Jx\r\n\x9b'], plain)).toBe('\ufffd[2Jx\n\ufffd\n')
    expect(bare(inPieces(['`\x1b]0;title\x07`']))).toBe('\ufffd]0;title\ufffd\n')
  })

  it('holds little back, so that its time is linear in the length of a text, whatever it is', () => {
    const pieces = ['*', '**', '_', '`', '[', '](', '|', '| ', '# ', '~', '\\', 'x', ' ', '- ', '[x](y', '**a ']
    for (const piece of pieces) {
      const text = new MarkdownText(colours)
      for (let i = 0; i < 300; i++) text.push(piece.repeat(8))
      expect(bare(text.end()).length, piece).toBeLessThan(1_000)
      expect(inPieces([piece.repeat(20_000)]).length).toBeGreaterThan(0)
    }
  })
})
