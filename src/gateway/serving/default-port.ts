/**
 * The default port of `starbind serve --http`.
 *
 * @example
 * import { defaultPort } from 'starbind'
 *
 * console.log(`http://127.0.0.1:${defaultPort}/mcp`)
 */
export const defaultPort = 3947
