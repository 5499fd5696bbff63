import pc from 'picocolors'

export type Colours = ReturnType<typeof pc.createColors>

/** Functions that wrap text in colours; if the stream shows none, they return it unchanged. */
export function coloursFor(stream: NodeJS.WriteStream): Colours {
  return pc.createColors(showsColours(stream))
}

function showsColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0'
  return stream.isTTY === true && TERM !== 'dumb'
}
