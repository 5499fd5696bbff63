// How the time that something takes grows with its input. Processor time, the least of several runs, and sizes four times apart: work that takes time in
// proportion to its input takes four times as long, and work that takes the square of it sixteen times.

/** Between 4 and 16, nearer to 16: collecting garbage and compiling take their share. */
const MOST = 11
/** Differences below are noise. */
const LEAST_MS = 20
const RUNS = 4

/** Prepares the input of a size, and gives what is measured. */
export type Grower = (size: number) => () => unknown

/** How many times longer four times the input takes; 0 where it takes no time at all. */
export function growth(prepare: Grower, size: number): number {
  const small = leastMs(prepare, size)
  const large = leastMs(prepare, 4 * size)
  return large < LEAST_MS ? 0 : large / Math.max(small, LEAST_MS / MOST)
}

/** A second look where the first saw too much: noise goes away, growth stays. */
export function growsLinearly(prepare: Grower, size: number): boolean {
  return [1, 2, 3].some(() => growth(prepare, size) <= MOST)
}

function leastMs(prepare: Grower, size: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const act = prepare(size)
    const before = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
