// The door of the folder `javascript`.

export { compileJavaScript } from './compile.js'
export { explainFailure } from './failures.js'
export { parse } from './parse.js'
