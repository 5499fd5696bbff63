export { FileShelf, type FileShelfOptions } from './file-shelf.js'
export { FileStore } from './file-store.js'
export { FileTraces } from './file-traces.js'
export type { Holder } from './holder.js'
export { MemoryStore } from './memory-store.js'
export { MemoryTraces } from './memory-traces.js'
export { noSuchTrace, traceOfAnother } from './messages.js'
export type { AllFiles, Bucket, FileBounds, FileFacts } from './owned-files.js'
export { openRedis } from './redis/open-redis.js'
export type { QueueCounts, QueuedRun, QueueWorker, RunPriority, RunQueue, RunTurn, TurnEnd } from './run-queue.js'
export type { Channels, Deployment, JournalBounds, Rates } from './shared-state.js'
export {
  charactersOf,
  type KeptEntry,
  type KeptRun,
  type KeptValues,
  type PageStart,
  type RunState,
  type Store,
  type ValueChanges,
} from './store.js'
export type { KeptTrace, TraceBounds, TraceStore } from './traces.js'
