// Parses the frames of a guest's stack trace. Programs can forge traces, so the work is bounded.

/** The maximum number of places that a failure reports. */
export const MOST_FRAMES = 100
/** The maximum number of frames that are parsed. Some of them are not the program's own. */
const MOST_READ = 400
const MOST_CHARACTERS = 200_000

interface StackFrame {
  /** The engine's name of the function. */
  readonly name: string
  readonly line: number
  readonly column: number
}

/** The frames that are in the text of a program, innermost first. */
export function framesIn(stack: string): StackFrame[] {
  const frames: StackFrame[] = []
  for (const [, name, line, column] of stack
    .slice(0, MOST_CHARACTERS)
    .matchAll(/^[ \t]*at ([^\n]{1,2000}) \(program\.js:(\d{1,9}):(\d{1,9})\)$/gm))
    if (frames.push({ name: name!, line: Number(line), column: Number(column) }) >= MOST_READ) break
  return frames
}
