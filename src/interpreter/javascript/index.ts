export { compileJavaScript, diagnosticOf } from './compile.js'
export { explainFailure } from './failures.js'
export type { Fault } from './faults.js'
export { globalNames } from './globals.js'
export { docBefore } from './jsdoc.js'
export { parse } from './parse.js'
export {
  constantOf as scriptConstant,
  mainOf as mainOfScript,
  parametersOf,
  parseWhole as parseWholeScript,
} from './saved-programs.js'
export type { Node as ScriptNode } from './tree.js'
