// Domain names in ASCII: the encodings `idna` and `punycode`.

import { decode, encode } from 'punycode'
import { guestError, raise } from '../values/errors.js'
import { said, word } from '../values/said.js'
import { casefold } from './characters.js'

type Direction = 'encoding' | 'decoding'

function failed(direction: Direction, codec: string, why: string): never {
  throw guestError(
    'UnicodeError',
    said`${word(direction)} with '${word(codec)}' codec failed (UnicodeError: ${word(why)})`,
  )
}

/** The text in ASCII. */
export function toPunycode(text: string): string {
  const coded = encode(text)
  // For a text in ASCII the package omits the final hyphen.
  return text !== '' && /^[\0-\x7f]*$/.test(text) && !coded.endsWith('-') ? `${coded}-` : coded
}

export function fromPunycode(ascii: string): string {
  try {
    return decode(ascii)
  } catch {
    return failed('decoding', 'punycode', 'incomplete punicode string')
  }
}

/** A domain name in its ASCII form: labels that are not ASCII become `xn--…`. */
export function toAscii(name: string, errors: string): string {
  if (errors !== 'strict') failed('encoding', 'idna', `unsupported error handling ${errors}`)
  const labels = name.split(isAscii(name) ? '.' : /[.\u3002\uff0e\uff61]/)
  const [last] = labels.splice(-1)
  return [...labels.map((label) => labelToAscii(label)), last === '' ? '' : labelToAscii(last!)].join('.')
}

function labelToAscii(label: string): string {
  const prepared = isAscii(label) ? label : casefold(label.normalize('NFKC')).normalize('NFKC').replace(/\xad/g, '')
  if (prepared.startsWith('xn--') && !isAscii(prepared)) failed('encoding', 'idna', 'Label starts with ACE prefix')
  const coded = isAscii(prepared) ? prepared : `xn--${encode(prepared)}`
  return coded.length > 0 && coded.length < 64 ? coded : failed('encoding', 'idna', 'label empty or too long')
}

/** The inverse of `toAscii`: the name in its normal form. */
export function fromAscii(ascii: string, errors: string): string {
  if (errors !== 'strict') failed('decoding', 'idna', `Unsupported error handling ${errors}`)
  return ascii
    .split('.')
    .map((label) => {
      if (!label.startsWith('xn--')) return label
      const text = fromPunycode(label.slice(4))
      return labelToAscii(text) === label.toLowerCase()
        ? text
        : raise('UnicodeError', said`decoding with 'idna' codec failed (UnicodeError: IDNA does not round-trip)`)
    })
    .join('.')
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}
