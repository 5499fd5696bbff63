// The queue of the module `asyncio`. `get` waits for a value, and `put` waits for room in a full queue.

import { builtin } from '../../calls/signature.js'
import { awaiting, Future } from '../../statements/coroutines.js'
import { guestError } from '../../values/errors.js'
import { type Int, toNumber, type Value } from '../../values/values.js'
import { Thing } from '../things.js'
import { run } from './steps.js'

function newQueue(maxsize: Value | undefined): Value {
  const most = maxsize === undefined ? 0 : toNumber(maxsize as Int)
  const held: Value[] = []
  const takers: Future[] = []
  const givers: Future[] = []
  let unfinished = 0
  const finished: Future[] = []
  const put = (x: Value): null => {
    unfinished++
    const taker = takers.shift()
    if (taker === undefined) held.push(x)
    else taker.settle(x)
    return null
  }
  const take = (): Value => {
    const x = held.shift()!
    givers.shift()?.settle(null)
    return x
  }
  return new Thing('Queue', {
    put: builtin('put', 'item', (x) =>
      run('put', function* () {
        while (most > 0 && held.length >= most) yield* turnIn(givers)
        return put(x!)
      }),
    ),
    get: builtin('get', '', () =>
      run('get', function* () {
        return held.length > 0 ? take() : yield* turnIn(takers)
      }),
    ),
    put_nowait: builtin('put_nowait', 'item', (x) => put(x!)),
    get_nowait: builtin('get_nowait', '', () => {
      if (held.length === 0) throw guestError('QueueEmpty', '', { args: [] })
      return take()
    }),
    task_done: builtin('task_done', '', () => {
      if (--unfinished === 0) for (const f of finished.splice(0)) f.settle(null)
      return null
    }),
    join: builtin('join', '', () =>
      run('join', function* () {
        return unfinished === 0 ? null : yield* turnIn(finished)
      }),
    ),
    qsize: builtin('qsize', '', () => held.length),
    empty: builtin('empty', '', () => held.length === 0),
    full: builtin('full', '', () => most > 0 && held.length >= most),
  })
}

function turnIn(line: Future[]) {
  const turn = new Future()
  line.push(turn)
  return awaiting(turn)
}

export const queue: Value = builtin('Queue', 'maxsize=', newQueue)
