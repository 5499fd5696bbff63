// The trees of every production of the grammar, in both dialects. `python.test.ts` compares the default dialect's trees
// with CPython's.

import { describe } from 'vitest'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { testGolden } from './golden.js'
import { printTree } from './print-tree.js'

function tree(program: string, strict: boolean): string {
  const { file, diagnostics } = parse(program, { strict })
  return [...diagnostics.map((d) => `${d.code}: ${d.message}`), printTree(file.body)].join('\n')
}

describe('trees of the default dialect', () => testGolden('trees.txt', (program) => tree(program, false)))

describe('trees of strict mode', () => testGolden('strict-trees.txt', (program) => tree(program, true)))
