// Work for host workers that shows what becomes of it.

const lessons = new Map()

export const learn = (lesson, piece) => lessons.set(lesson, [...(lessons.get(lesson) ?? []), piece])
export const forget = (lesson) => lessons.delete(lesson)
export const forgetAll = () => lessons.clear()

export function work({ act, value }) {
  switch (act) {
    case 'echo':
      return value
    case 'learnt':
      return value.map((lesson) => lessons.get(lesson))
    case 'endless':
      for (;;);
    case 'until':
      while (Atomics.load(value, 0) === 0);
      return 'told'
    case 'deep': {
      const dive = () => dive() + 1
      return dive()
    }
    case 'huge': {
      const kept = []
      for (;;) kept.push(new Array(10_000).fill({}))
    }
    case 'throw':
      throw new Error(value)
    case 'exit':
      return process.exit(3)
    case 'kill':
      return process.kill(process.pid, 'SIGKILL')
    default:
      return () => 'no plain data'
  }
}
