// The door to formatting: `%`, `str.format`, and format specs.

export { formatBraces } from './brace-format.js'
export { formatValue } from './format-spec.js'
export { formatPercent } from './percent-format.js'
