// The time, for texts such as `5 min. ago`.

import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Milliseconds since 1970, at most a second old while somebody looks. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

/** The time ten times a second, for what grows before one's eyes; while `isMoving` is false, it stands still. */
export function useMoving(isMoving: boolean): number {
  const moment = useSignal(Date.now())
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => {
      if (!document.hidden) moment.value = Date.now()
    }, 100)
    return () => clearInterval(timer)
  }, [isMoving])
  return moment.value
}
