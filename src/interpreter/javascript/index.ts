export { compileJavaScript } from './compile.js'
export { explainFailure } from './failures.js'
export { globalNames } from './globals.js'
export { parse } from './parse.js'
