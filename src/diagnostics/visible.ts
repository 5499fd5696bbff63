/**
 * The text with a code in place of every character that is invisible or changes the display of others.
 *
 * @example
 * import { visible } from 'starbind'
 *
 * console.log(visible('a\u202eb'))
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
