export { quote } from '../quote.js'
export { compileStarlark } from './compile.js'
export { compileLibrary } from './library.js'
export { mainFunctionOf } from './main-function.js'
