// Numbers, sizes and times as people read them.

const count = new Intl.NumberFormat('en')
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

export const number = (value: number): string => count.format(value)

/** `1 call`, `2 calls`. */
export const plural = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`

/** `340 B`, `12.4 kB`, `3.1 MB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  const [amount, unit] = value < 1e6 ? [value / 1e3, 'kB'] : value < 1e9 ? [value / 1e6, 'MB'] : [value / 1e9, 'GB']
  return `${amount < 100 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

/** `3 ms`, `1.20 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 && ms % 1 !== 0 ? ms.toFixed(1) : Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** `5 min. ago`. */
export function ago(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000))
  if (seconds < 5) return 'now'
  if (seconds < 60) return relative.format(-seconds, 'second')
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), 'hour')
  return new Date(time).toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric' })
}

/** `14:03:27`. */
export const clock = (time: number): string => new Date(time).toLocaleTimeString('en-GB')
