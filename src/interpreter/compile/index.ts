// The door of the stage `compile`.

export { quote } from '../quote.js'
export { compileLibrary, compileStarlark } from './compile.js'
