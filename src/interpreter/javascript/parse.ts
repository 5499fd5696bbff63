// Text to syntax tree, by acorn. Programs are parsed as strict code, with `await` and `return` allowed at the top
// level. Knows no meanings.
// Invariant: a returned tree is a whole program. Nothing in it can end its enclosing function.

import type { Options, Program } from 'acorn'
import { typesErased } from './erase-types.js'
import { type Fault, faultOf } from './faults.js'
import { parsers } from './read-parsers.js'
import { type Tree, treeOf } from './tree.js'

export type Parsed =
  | {
      readonly ok: true
      readonly tree: Tree
      /** The positions of `<!--` outside strings and comments. The engine would take it for a comment. */
      readonly commentLike: readonly number[]
    }
  | { readonly ok: false; readonly fault: Fault }

const options: Options = { ecmaVersion: 2023, sourceType: 'module', allowReturnOutsideFunction: true }

/** Parses a program. TypeScript is converted to JavaScript, and the tree maps positions back to the program's text. */
export function parse(text: string): Parsed {
  const plain = attempt(text)
  if (plain.ok || plain.fault.isTooDeep) return plain
  const erased = mayBeTyped(text) ? typesErased(text, options) : undefined
  if (erased === undefined) return plain
  // The fault that is further in the text has the better message.
  if (!erased.ok) return erased.isRefusal || erased.fault.start > plain.fault.start ? erased : plain
  const { text: plainText, origin } = erased.text.written()
  const again = attempt(plainText)
  if (again.ok) return { ...again, tree: { ...again.tree, origin } }
  const { fault } = again
  return { ok: false, fault: { ...fault, start: origin(fault.start), end: origin(fault.end) } }
}

/**
 * True if the text can be TypeScript. Annotations need a colon, `as`, `satisfies`, an angle bracket, an exclamation
 * mark or a keyword. This test saves most texts a second parse.
 */
function mayBeTyped(text: string): boolean {
  return /:|<|!|\b(?:as|satisfies|interface|type|declare|enum|namespace|abstract|private|public|readonly)\b/.test(text)
}

function attempt(text: string): Parsed {
  const skipped: { start: number; end: number }[] = []
  let program: Program
  try {
    program = parsers().PlainParser.parse(text, {
      ...options,
      onComment: (_block, _words, start, end) => {
        skipped.push({ start, end })
      },
    })
  } catch (error) {
    return { ok: false, fault: faultOf(error, text) }
  }
  const tree = treeOf(text, program)
  return { ok: true, tree, commentLike: commentLikes(tree, skipped) }
}

function commentLikes(tree: Tree, comments: readonly { start: number; end: number }[]): number[] {
  const found = [...tree.text.matchAll(/<!--/g)].map((match) => match.index)
  if (found.length === 0) return []
  const quoted = tree.nodes.filter((node) => node.type === 'Literal' || node.type === 'TemplateElement')
  const skipped = [...comments, ...quoted].sort((a, b) => a.start - b.start)
  let next = 0
  return found.filter((at) => {
    while (next < skipped.length && skipped[next]!.end <= at) next++
    return next === skipped.length || at < skipped[next]!.start
  })
}
