// The door of the stage `compile`.

export { compileStarlark } from './compile.js'
export { quote } from './quote.js'
