// What the tools do, as a host worker does it: plain data to plain data. Only the worker's deadline bounds it.

import { Failure, failureOf } from '../tool.js'
import { edit, move, remove, undo, write } from './change.js'
import { dataOf, readData } from './data.js'
import { glob, list, stat } from './look.js'
import { readText, readWhole } from './read.js'
import { search } from './search.js'
import { Wall, type WallSettings } from './wall.js'

// The schemas have decided that a task's arguments are its own.
type Task = (wall: Wall, args: never) => unknown

const text = (value: string) => ({ kind: 'text', text: value })
const json = (value: unknown) => ({ kind: 'json', json: JSON.stringify(value) })

const tasks = {
  list: (wall, args) => json(list(wall, args)),
  stat: (wall, args) => json(stat(wall, args)),
  glob: (wall, args) => json(glob(wall, args)),
  search,
  read: (wall, args) => text(readText(wall, args)),
  data: (wall, args) => ({ kind: 'json', json: readData(wall, args) }),
  artifact: (wall, { path }: { readonly path: string }) => ({ kind: 'file', ...readWhole(wall, path) }),
  write,
  edit,
  move,
  remove,
  undo,
} satisfies Record<string, Task>

/** Those that need no file. */
const textTasks = {
  parse: (args: Parameters<typeof dataOf>[0]) => ({ kind: 'json', json: dataOf(args) }),
}

export type TaskName = keyof typeof tasks | keyof typeof textTasks

interface WorkInput {
  /** Absent: for tasks that need no file. */
  readonly wall: WallSettings | undefined
  readonly task: TaskName
  readonly args: unknown
}

export type WorkOutput =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly words: string }

export function learn(): void {}
export function forget(): void {}

export function work(input: unknown): WorkOutput {
  const { wall, task, args } = input as WorkInput
  try {
    const value =
      wall === undefined || task === 'parse'
        ? textTasks.parse(args as never)
        : (tasks[task] as Task)(new Wall(wall), args as never)
    return { kind: 'done', value }
  } catch (error) {
    const failure = failureOf(error, 'what it needs')
    if (failure instanceof Failure) return { kind: 'failed', words: failure.message }
    throw failure
  }
}
