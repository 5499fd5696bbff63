// The door of the stage `compile`.

export { quote } from '../quote.js'
export { annotationSchema, constantOf } from './annotation-schema.js'
export { compileStarlark } from './compile.js'
export { compileLibrary } from './library.js'
export { docOf, mainOf } from './main-definition.js'
export { mainFunctionOf } from './main-function.js'
export { messages as savedMessages } from './messages.js'
export { parseWhole } from './saved-programs.js'
