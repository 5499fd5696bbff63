// What was asked of the server: a value, or what happened instead.

import { type Signal, useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { PageEvent } from '../../interface.js'
import { get, Refusal } from './api.js'
import { follow } from './events.js'

export interface Loaded<Value> {
  readonly value: Value | undefined
  readonly refusal: Refusal | undefined
}

/** A value with what events say about it. An event may be applied twice. Without news it returns the same value. */
type Apply<Value> = (value: Value, events: readonly PageEvent[]) => Value

const unchanged = <Value>(value: Value): Value => value

/**
 * The answer to a GET request, kept up to date by events. It is asked again when the path changes, when the stream of
 * events had a gap, and by `again`. Events that come while it is asked are applied to the answer. `apply` is constant.
 */
export function useLoaded<Value>(
  path: string | undefined,
  apply: Apply<Value> = unchanged,
): { readonly loaded: Signal<Loaded<Value>>; readonly again: () => Promise<void> } {
  const loaded = useSignal<Loaded<Value>>({ value: undefined, refusal: undefined })
  const asked = useRef(0)
  const meanwhile = useRef<PageEvent[]>(undefined)
  const again = useCallback(async () => {
    const mine = ++asked.current
    if (path === undefined) return
    const news: PageEvent[] = []
    meanwhile.current = news
    const answer = await get<Value>(path).then(
      (value) => ({ value: apply(value, news), refusal: undefined }),
      (error: unknown) => ({ value: undefined, refusal: refusalOf(error) }),
    )
    if (mine !== asked.current) return
    meanwhile.current = undefined
    loaded.value = answer
  }, [path])
  useEffect(() => {
    loaded.value = { value: undefined, refusal: undefined }
    void again()
    return follow((events) => {
      if (events.some((event) => event.type === 'hello' && !event.resumed)) return void again()
      meanwhile.current?.push(...events)
      if (loaded.value.value === undefined) return
      const value = apply(loaded.value.value, events)
      if (value !== loaded.value.value) loaded.value = { value, refusal: undefined }
    })
  }, [again])
  return { loaded, again }
}

interface Action {
  readonly busy: Signal<boolean>
  readonly refusal: Signal<Refusal | undefined>
  /** Resolves when the work has ended, one way or the other. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/** Something that a person does: whether it is underway, and how it was refused. */
export function useAction(): Action {
  const busy = useSignal(false)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const act = useCallback(async (work: () => Promise<unknown>) => {
    busy.value = true
    refusal.value = undefined
    try {
      await work()
    } catch (error) {
      refusal.value = refusalOf(error)
    } finally {
      busy.value = false
    }
  }, [])
  return { busy, refusal, act }
}

/** Anything else is a defect of this page, and is thrown on. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
