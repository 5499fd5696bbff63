// The notation in which tools are described: Python's for Starlark, TypeScript's for JavaScript.

import type { BoundTool } from './bound.js'
import { toolDocs } from './docs.js'
import type { Observations } from './observed.js'
import { toolScriptDocs } from './script-docs.js'
import { scriptSignatureText } from './script-stub.js'
import { signatureText } from './stub.js'
import type { Notation } from './value-words.js'

interface Described {
  /** A tool as one expression. */
  readonly signature: (tool: BoundTool, observations?: Observations) => string
  /** The full documentation of a tool. */
  readonly docs: (tool: BoundTool, observations?: Observations) => string
}

const notations: Readonly<Record<Notation, Described>> = {
  python: { signature: signatureText, docs: toolDocs },
  typescript: { signature: scriptSignatureText, docs: toolScriptDocs },
}

export function describedIn(notation: Notation): Described {
  return notations[notation]
}
