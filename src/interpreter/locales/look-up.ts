// Programs' look-ups in the host's tables: languages, currencies, calendars and time zones of ICU, and names of
// characters. Runs in the guests' threads, on texts of guests.
// Invariant: the same tables give the same answer to everybody; a look-up never throws and takes time in proportion to
// its length.

import { characterName, characterNamed } from '../character-names.js'
import { answerOf, type FormatQuestion } from './formats.js'
import { isZone, spansOf, zoneNames } from './zones.js'

export { rewrite } from '../rewrite.js'

type Question =
  | readonly ['format', FormatQuestion]
  | readonly ['zone', name: string, year: number]
  | readonly ['is zone', name: string]
  | readonly ['zones']
  | readonly ['name', code: number]
  | readonly ['named', name: string]

/** `=` and the answer's JSON text, nothing for undefined; or `!` and the failure's name and words. */
export function lookUp(question: string): string {
  try {
    return `=${JSON.stringify(answerTo(JSON.parse(question) as Question)) ?? ''}`
  } catch (error) {
    const { name, message } = error as Error
    return `!${JSON.stringify([name, message])}`
  }
}

function answerTo(question: Question): unknown {
  switch (question[0]) {
    case 'format':
      return answerOf(question[1])
    case 'zone':
      return spansOf(question[1], question[2])
    case 'is zone':
      return isZone(question[1])
    case 'zones':
      return zoneNames()
    case 'name':
      return characterName(question[1])
    case 'named':
      return characterNamed(question[1])
  }
}
