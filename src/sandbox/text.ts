// Text between guest and host: Latin-1 bytes, or little-endian UTF-16 where a unit does not fit in one byte. QuickJS
// and V8 both store strings this way, so nothing is decoded, and any JavaScript string survives, unpaired surrogates
// included.

export interface Text {
  readonly wide: boolean
  readonly bytes: Uint8Array
}

const beyondLatin1 = /[^\0-\xff]/

/** True when the string needs UTF-16. */
export function isWide(text: string): boolean {
  return beyondLatin1.test(text)
}

/** The size of the string between guest and host. */
export function sizeOf(text: string, wide: boolean): number {
  return wide ? text.length * 2 : text.length
}

/** Writes the string into bytes of the length that `sizeOf` returns. */
export function writeText(text: string, wide: boolean, into: Uint8Array): void {
  const target = Buffer.from(into.buffer, into.byteOffset, into.byteLength)
  if (wide) target.write(text, 'utf16le')
  else target.write(text, 'latin1')
}

export function textOf(text: string): Text {
  const wide = isWide(text)
  return { wide, bytes: Buffer.from(text, wide ? 'utf16le' : 'latin1') }
}

export function readText(text: Text): string {
  const source = Buffer.from(text.bytes.buffer, text.bytes.byteOffset, text.bytes.byteLength)
  return source.toString(text.wide ? 'utf16le' : 'latin1')
}

/**
 * The size of the text in UTF-8. If it exceeds `enough`, the result is only at least `enough`, so long texts are not
 * read for nothing.
 */
export function utf8Bytes({ bytes, wide }: Text, enough = Number.POSITIVE_INFINITY): number {
  const units = wide ? bytes.length / 2 : bytes.length
  if (units > enough) return units
  return wide ? utf8BytesOfUtf16(bytes) : utf8BytesOfLatin1(bytes)
}

function utf8BytesOfLatin1(bytes: Uint8Array): number {
  let size = bytes.length
  for (let i = 0; i < bytes.length; i++) size += bytes[i]! >>> 7
  return size
}

function utf8BytesOfUtf16(bytes: Uint8Array): number {
  let size = 0
  for (let i = 0; i < bytes.length; i += 2) {
    const unit = bytes[i]! | (bytes[i + 1]! << 8)
    // Each half of a surrogate pair counts two; an unpaired one is counted two instead of three.
    size += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return size
}

/** The number of line feeds. */
export function lineFeeds(text: Text): number {
  let count = 0
  for (let i = 0; i < text.bytes.length; i += text.wide ? 2 : 1) {
    if (text.bytes[i] === 10 && (!text.wide || text.bytes[i + 1] === 0)) count++
  }
  return count
}
