import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Later } from '../../dist/sandbox/later.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('functions that are called later', () => {
  it('are called once, after the time of each', () => {
    const later = new Later(10)
    const called: string[] = []
    later.enter(() => called.push('first'))
    vi.advanceTimersByTime(6)
    later.enter(() => called.push('second'))
    vi.advanceTimersByTime(3)
    expect(called).toEqual([])
    vi.advanceTimersByTime(1)
    expect(called).toEqual(['first'])
    vi.advanceTimersByTime(5)
    expect(called).toEqual(['first'])
    vi.advanceTimersByTime(1)
    expect(called).toEqual(['first', 'second'])
    vi.advanceTimersByTime(100)
    expect(called).toEqual(['first', 'second'])
  })

  it('are not called after they were withdrawn', () => {
    const later = new Later(10)
    const called: string[] = []
    const act = () => called.push('withdrawn')
    later.enter(act)
    later.withdraw(act)
    later.enter(() => called.push('kept'))
    vi.advanceTimersByTime(20)
    expect(called).toEqual(['kept'])
  })

  it('share one timer, and may enter others', () => {
    const later = new Later(10)
    let calls = 0
    const again = () => {
      if (++calls < 3) later.enter(again)
    }
    later.enter(again)
    later.enter(() => {})
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(40)
    expect(calls).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })
})
