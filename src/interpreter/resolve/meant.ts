// Finds the tool that an unknown name may mean, from the text after the name. Text that does not match gives no hint.

import { type Known, meantBy } from '../meant.js'

/** The number of characters that are searched. */
const MOST = 400
const CHAIN = /^(\w+)((?:\s*\.\s*\w+)*)\s*(\()?/
/** A string, with its keyword if it has one, and the separator before the next one. */
const TEXT = /^\s*(?:(?:server|tool)(?:_name)?\s*=\s*|name\s*=\s*)?[rbfu]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*(,|\)|$)/

/** The expression for the tool that a name probably means. `members` has the tools of each namespace. */
export function meantTool(
  text: string,
  start: number,
  members: ReadonlyMap<string, readonly string[]>,
  isCommon: Known['isCommon'],
): string | undefined {
  const around = text.slice(start, start + MOST)
  const [whole, name, chain, open] = CHAIN.exec(around) ?? []
  if (whole === undefined || name === undefined) return undefined
  const texts: string[] = []
  let rest = around.slice(whole.length)
  for (let match = TEXT.exec(rest); match !== null && texts.length < 2; match = TEXT.exec(rest)) {
    texts.push(match[1] ?? match[2] ?? '')
    rest = match[3] === ',' ? rest.slice(match[0].length) : ''
  }
  const asked = chain === undefined || chain === '' ? [] : chain.split('.').slice(1)
  const meant = meantBy(
    { texts, members: asked.map((one) => one.trim()), name, isCalled: open !== undefined },
    {
      servers: [...members.keys()],
      server: (one) => (members.has(one) ? one : undefined),
      tool: (server, one) => (members.get(server)?.includes(one) ? one : undefined),
      isCommon,
    },
  )
  return meant?.tool === undefined ? meant?.server : `${meant.server}.${meant.tool}(…)`
}
