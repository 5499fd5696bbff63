// The door of the stage `compile`.

export { compileLibrary, compileStarlark } from './compile.js'
export { quote } from './quote.js'
