// Explicitly concurrent calls: `parallel`, executors, tools called by tasks of `asyncio`, and `server.tool.map`. A task
// that calls a tool sends the call to the host and yields. When no task can continue, the program waits for the oldest
// call, so its behaviour does not depend on the order of answers.

import { bind, builtin, type Callable, call, callNamed, isCallable } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { beforeRead, settleAll } from '../host/pending.js'
import { receive } from '../host/replies.js'
import { hostSend } from '../host/sandbox-functions.js'
import { coroutine, isAlone, replyTo, runAll, type Steps, startTask } from '../statements/coroutines.js'
import { GuestError, guestError } from '../values/errors.js'
import { said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'
import { readAhead, stackHere } from './ahead.js'
import { callText, isRead, outcomes, placeOf } from './namespaces.js'

/**
 * A call of a tool in a task. Other tasks continue until its reply arrives. If there are none and the call has a
 * `place`, the task may run ahead of it.
 */
export function* suspended(
  space: string,
  member: string,
  args: readonly Value[],
  named?: readonly Value[],
  place?: string,
): Steps {
  if (place !== undefined && isAlone()) return readAhead(stackHere(), place, space, member, args, named)
  const text = callText(space, member, args, named ?? [])
  if (isRead(space, member)) beforeRead()
  else settleAll()
  const pending = replyTo(hostSend(text))
  while (!pending.$done) yield pending
  return receive(pending.$result as string)
}

/** A call of a tool as a task of its own: `asyncio.gather(server.tool(), …)`. */
export function started(space: string, member: string, args: readonly Value[], named?: readonly Value[]): Value {
  const { stack = '' } = new Error()
  return startTask(coroutine(member, placed(suspended(space, member, args, named), stack)))
}

function* placed(steps: Steps, stack: string): Steps {
  try {
    return yield* steps
  } catch (e) {
    if (e instanceof GuestError) (e as { stack: string }).stack = stack
    throw e
  }
}

interface Stepping extends Callable {
  $steps?: (...args: Value[]) => Steps
}

/** Adds to a function the form in which `parallel` and executors run it: in steps. */
export function stepping(f: Value, steps: (...args: Value[]) => Steps): Value {
  ;(f as Stepping).$steps = steps
  return f
}

/** The call of a function, in steps if it has that form. */
export function* stepsOf(f: Value, args: readonly Value[], named: readonly Value[] = []): Steps {
  const place = placeOf(f)
  if (place !== undefined) return yield* suspended(place[0], place[1], args, named)
  const steps = isCallable(f) ? (f as Stepping).$steps : undefined
  if (steps === undefined) return named.length === 0 ? call(f, args) : callNamed(f, args, named)
  return yield* steps(...(bind((f as Stepping).sig, args, named) as Value[]))
}

/** `parallel(thunks)` and `parallel(fn, items)`. */
export const parallel: Value = builtin(
  'parallel',
  'functions, items=, /, *, return_errors=',
  (functions, arguments_, keep) => {
    const calls: [Value, Value[]][] =
      arguments_ === undefined ? items(functions!).map((f) => [f, []]) : items(arguments_).map((x) => [functions!, [x]])
    for (const [f] of calls) if (!isCallable(f)) throw notAFunction(f)
    const tasks = calls.map(([f, args]) => startTask(coroutine('parallel', stepsOf(f, args))))
    runAll(tasks)
    return outcomes(
      tasks.map((task) => () => task.take()),
      keep,
    )
  },
)

function notAFunction(x: Value): GuestError {
  const hint = 'write lambda: before each call, so that parallel makes it'
  return guestError('TypeError', said`parallel: got ${typeOf(x)}, want a function`, { hint })
}
