// The parsers of JavaScript and of TypeScript. Most programs are in Starlark, so this module and acorn are loaded with the
// first text that is read as JavaScript; see read-parsers.ts.

import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser } from 'acorn'
import { bounded, MOST_UNDERWAY } from './bounded.js'

export const PlainParser = Parser.extend(bounded(MOST_UNDERWAY.plain))
export const TypedParser = Parser.extend(tsPlugin(), bounded(MOST_UNDERWAY.typed))
