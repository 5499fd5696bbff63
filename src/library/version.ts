import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/**
 * This package's version.
 *
 * @example
 * import { version } from 'starbind'
 *
 * console.log(`starbind ${version}`)
 */
export const version: string = (manifest as { readonly version: string }).version
