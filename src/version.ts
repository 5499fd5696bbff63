// The version of this package, as its manifest says it.

import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** This package's version. */
export const version: string = (manifest as { readonly version: string }).version
