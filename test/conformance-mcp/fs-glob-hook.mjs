// Lets the suite's versions that know 2026-07-28 load under Node 20, whose `fs` has no `globSync`: they import it by
// name and call it for nothing that is used here. `node --import` loads this file.
import { register } from 'node:module'

const shim = `
import fs from 'node:fs'
export * from 'node:fs'
export default fs
export const globSync = fs.globSync ?? (() => [])`
const hooks = `
const url = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(shim)})
export const resolve = (name, context, next) =>
  name === 'fs' && /conformance[^/]*\\/dist\\//.test(context.parentURL ?? '') ? { url, shortCircuit: true } : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
