// The door of the folder `syntax`: program text to syntax tree.

export * from './nodes.js'
export { parse } from './parse.js'
export { lineStarts, Positions } from './positions.js'
