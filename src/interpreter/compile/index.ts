// The door of the stage `compile`.

export { compile } from './compile.js'
