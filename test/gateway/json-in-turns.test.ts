// Long JSON in pieces gives what JSON.parse gives, refuses what it refuses, and lets others have their turn.

import { describe, expect, it } from 'vitest'
import { parseInTurns as parse, UnreadText } from '../../dist/gateway/reading/json-in-turns.js'
import { amount, random as newRandom } from '../random.js'

const parseInTurns = (text: string) => parse(text, 2 ** 30)
const long = (text: string) => text.repeat(Math.ceil(200_000 / text.length))

const texts: Record<string, string> = {
  'a long list in an object in a list': `[1, {"a": [${long('{"b":[1,2,"x]"]},')}3], "c": {}}, "end"]`,
  'a long object': `{"x":{${Array.from({ length: 40_000 }, (_, i) => `"k${i}":${i}`).join(',')}},"y":[]}`,
  'keys that are numbers, twice, and __proto__': `{"2":[${long('1,')}1],"1":0,"2":3,"__proto__":{"a":[${long('2,')}2]},"b":1}`,
  'long strings': JSON.stringify([long('a"\\\n'), { [long('key')]: long('\u2028😀') }]),
  'white space': ` \n[ \t${long(' 1 ,\r\n')} [ ${long('true , ')} null ] , { "a" : [ ${long('"",')} 0 ] } \n ] \n`,
  'a short text': '{"a":1}',
}

describe.each(Object.entries(texts))('%s', (_, text) => {
  it('is parsed', async () => {
    const parsed = await parseInTurns(text)
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf({}).a).toBe(undefined)
  })

  it('is refused if a character is missing or extra, like JSON.parse', async () => {
    const random = newRandom()
    for (let i = 0; i < amount(8, 60); i++) {
      const at = random.below(text.length)
      // At the ends of long values more often.
      const near = [/^.*?\[/s, /^.*\]/s][i % 4]?.exec(text)?.[0].length ?? at
      const cut = i % 4 < 2 ? near - (i % 3) : at
      const other = text.slice(0, cut) + (i % 2 === 0 ? '' : ',]}":1'[i % 7]) + text.slice(cut + (i % 2 === 0 ? 1 : 0))
      let wanted: unknown
      try {
        wanted = JSON.stringify(JSON.parse(other))
      } catch {
        wanted = 'refused'
      }
      const got = await parseInTurns(other).then(JSON.stringify, () => 'refused')
      expect(got === wanted, `${cut} ${other.slice(Math.max(0, cut - 20), cut + 20)}`).toBe(true)
    }
  })
})

it('parsing lets other work run in between', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await parseInTurns(`[${'{"a":[]},'.repeat(600_000)}1]`)
  isDone = true
  expect(turns).toBeGreaterThan(5)
})

it('parsing refuses text that is too deep or has too many values for its length', async () => {
  await expect(parse(`[${'1,'.repeat(300_000)}1]`, 640_000)).rejects.toThrow('of more than 20000 values')
  await expect(parseInTurns('['.repeat(500_000))).rejects.toThrow(UnreadText)
})
