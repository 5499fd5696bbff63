// Rewords remarks for people: answers tell models to call meta-tools, a person types commands.
// Invariant: the words of servers stay unchanged.

/** The place for commands: a shell, or the prompt of `starbind repl`. */
type CommandPlace = 'shell' | 'prompt'

const remark = /^(# \d+ tools?\. Search: |hint: | {2}… [\d,]+ more(?: servers?)?: |No tool matches ")/

const cancelled = /^(host error \[cancelled\]) the run was cancelled by the caller$/

/**
 * Begins an answer about a name that does not exist: a mistake of a program's author, or of the person who typed it.
 */
export const mistyped = /^program error \[[a-z-]+\] /gm

/** The text with commands in place of calls of meta-tools. */
export function forPeople(text: string, place: CommandPlace = 'shell'): string {
  return text
    .split('\n')
    .map((line) => (remark.test(line) ? reworded(line, place) : line.replace(cancelled, '$1 the run was interrupted')))
    .join('\n')
}

/** The same for a run that is not kept and can't be resumed. */
export function unkept(text: string): string {
  return text.replace(
    /^hint: tell the person; once they have answered, executeToolCode\(resume=.*$/m,
    'hint: this run is not kept; run it again at a terminal to be asked again',
  )
}

function reworded(line: string, place: CommandPlace): string {
  const inShell = place === 'shell'
  const [ls, cat] = inShell ? ['starbind ls', 'starbind cat'] : ['.ls', '.cat']
  return line
    .replace(/listToolFiles\(server="([^"]+)", query="…"\)/g, inShell ? `${ls} WORDS --server $1` : `${ls} WORDS`)
    .replace(/listToolFiles\(query="words"\)/g, `${ls} WORDS`)
    .replace(/listToolFiles\(server="([^"]+)"\)/g, inShell ? `${ls} --server $1` : `${cat} $1`)
    .replace(/executeToolCode\(resume="([^"]+)"\)/g, inShell ? 'starbind resume $1' : 'starbind resume $1, in a shell,')
    .replace(
      /^hint: tell the person; once they have answered, (starbind resume (\S+))/,
      'hint: starbind approve $2 or starbind deny $2; then $1',
    )
    .replace(/listToolFiles\(\)/g, ls)
    .replace(/readToolFile\("([^"]+)"\)/g, `${cat} $1`)
}
