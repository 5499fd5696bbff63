// The parsers of JavaScript and TypeScript. Most programs are in Starlark, so this module and acorn are loaded with the
// first JavaScript text (read-parsers.ts).

import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser } from 'acorn'
import { bounded, MOST_UNDERWAY } from './bounded.js'

export const PlainParser = Parser.extend(bounded(MOST_UNDERWAY.plain))
export const TypedParser = Parser.extend(tsPlugin(), bounded(MOST_UNDERWAY.typed))
