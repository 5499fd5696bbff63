// The door of the stage `check`.

export { type Checked, type CheckOptions, check } from './check.js'
