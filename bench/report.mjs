// Tables of results as text and as Markdown.

/** A table as text, for a terminal. */
export function textTable({ caption, columns, rows }) {
  const all = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => row[i].length)))
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  return `${caption}\n${all.map(line).join('\n')}\n`
}

/** A table as Markdown, with its caption before and its note behind it. */
export function markdownTable({ caption, columns, rows, note }) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = line(columns.map((_, i) => (i === 0 ? '---' : '---:')))
  return [`**${caption}.**`, '', line(columns), rule, ...rows.map(line), '', wrapped(note)].join('\n')
}

/** A paragraph in lines of at most 120 columns. */
export function wrapped(text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== '' && line.length + 1 + word.length > 120) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
