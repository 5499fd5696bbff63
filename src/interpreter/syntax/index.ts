// The door of the folder `syntax`: program text to syntax tree.

export * from './nodes.js'
export { type ParseOptions, type ParseResult, parse } from './parse.js'
export { lineStarts, type Position, Positions } from './positions.js'
