// The door to formatting: `%`, `str.format`, and format specs.

export { formatPercent } from '../operators/percent-format.js'
export { formatValue } from '../text/format-spec.js'
export { formatBraces } from './brace-format.js'
