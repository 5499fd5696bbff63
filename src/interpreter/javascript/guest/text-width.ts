// The width of a text in terminal columns. Chinese, Japanese and Korean letters and most emoji take two columns,
// combining marks none.

const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/gu
const NONE = /\p{Cc}|\p{Mn}|\p{Me}|[\u200b-\u200f]/gu

export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  const shown = text.normalize('NFC').replace(NONE, '')
  return [...shown].length + (shown.match(WIDE)?.length ?? 0)
}
