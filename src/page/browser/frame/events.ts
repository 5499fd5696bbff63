// The one stream of events, handed on together, so that a burst of them costs one drawing.

import { signal } from '@preact/signals'
import type { PageEvent } from '../../interface.js'
import { get, session } from './api.js'

/** Receives the events since the last time, the oldest first. */
export type Follower = (events: readonly PageEvent[]) => void

/** `lost`: the browser connects again by itself, and tells the server which event it had last. */
export const stream = signal<'connecting' | 'live' | 'lost'>('connecting')

const followers = new Set<Follower>()
let waiting: PageEvent[] = []

/** Calls `follower` with all events from now on. Returns how to stop. */
export function follow(follower: Follower): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

const RETRY_MS = 2000

/** Opens the stream. Where the browser gives up, it is opened again once the session is known to be alive. */
export function openStream(): void {
  const source = new EventSource('/api/v1/events')
  source.onopen = () => {
    stream.value = 'live'
  }
  source.onerror = () => {
    stream.value = 'lost'
    if (source.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS)
  }
  source.onmessage = ({ data }) => {
    if (waiting.length === 0) schedule()
    waiting.push(JSON.parse(data) as PageEvent)
  }
}

async function reopen(): Promise<void> {
  try {
    await get('session')
    openStream()
  } catch {
    // Nobody is signed in: the page asks for a key, and opens a stream with the next session.
    if (session.value !== null) setTimeout(reopen, RETRY_MS)
  }
}

/** More often than this nobody sees a difference, and a flood of events would be drawn again and again. */
const EVERY_MS = 50
let handedOn = 0

/** Hidden pages have no frames, and count what waits for a person all the same. */
function schedule(): void {
  const wait = Math.max(0, handedOn + EVERY_MS - performance.now())
  setTimeout(() => (document.hidden ? handOn() : requestAnimationFrame(handOn)), wait)
}

function handOn(): void {
  handedOn = performance.now()
  const events = waiting
  waiting = []
  for (const follower of followers) follower(events)
}
