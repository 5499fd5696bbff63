export { type Checked, type CheckOptions, check } from './check.js'
