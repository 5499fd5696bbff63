/** Characters that XML has no place for, and those that change the direction of what is beside them. */
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as the content or as a quoted attribute of SVG and HTML. */
export function escaped(text: string): string {
  return text
    .replace(UNSEEN, '\ufffd')
    .replace(LONE, '\ufffd')
    .replace(/[&<>"']/g, (mark) => MARKS[mark]!)
}
