// Which tools of a server may be called. Knows names and globs. Invariant: a narrower list never allows what a wider one does not.

/** True when a list of names and globs (`*` stands for any characters) allows the tool. An absent list allows everything, an empty one nothing. */
export function allows(list: readonly string[] | undefined, tool: string): boolean {
  return (
    list === undefined ||
    list.some((pattern) => pattern === tool || (pattern.includes('*') && glob(pattern).test(tool)))
  )
}

function glob(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split(/\*+/)
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )
}
