// Answers the questions of the module `results` about the files of earlier runs in results/.

import { errorReply, type Notation, type ProgramQuestion, quotedName } from '../bindings/index.js'
import { nearestNames } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import type { Vfs } from '../vfs/index.js'
import { compactText, readJsonTree } from './json-tree.js'
import { isRunResult } from './kept-artifacts.js'
import { unknownResult } from './messages.js'

/**
 * `results.load("run-3")`: the result of the run, or its printed lines if it had none. `results.list()`: the kept
 * results.
 */
export function answerResults({ member, args }: ProgramQuestion, vfs: Vfs, notation: Notation): ForeignReply {
  const runs = vfs
    .list('results')
    .flatMap((path) => (isRunResult(path) ? path.slice('results/'.length, -'.json'.length) : []))
  if (member === 'list') return `J${JSON.stringify(runs)}`
  const raw = String(args.run ?? '')
  const run = /(run-[\da-f]+)(?:\.json)?$/.exec(raw)?.[1] ?? raw
  const text = runs.includes(run) ? vfs.read(`results/${run}.json`) : undefined
  const whole = text === undefined ? undefined : readJsonTree(text)
  if (whole?.kind !== 'dict') return errorReply(unknownResult(quotedName(raw, notation), nearestNames(run, runs)))
  const of = (name: string) => whole.entries.find(([key]) => key === JSON.stringify(name))?.[1]
  const [result, logs] = [of('result'), of('logs')]
  const isNone = result === undefined || (result.kind === 'scalar' && result.text === 'null')
  const node = isNone ? logs : result
  return node === undefined ? 'Jnull' : `J${compactText(node)}`
}
