export { FileShelf, type FileShelfOptions, type OwnedFiles } from './file-shelf.js'
export { FileStore } from './file-store.js'
export { MemoryStore } from './memory-store.js'
export type { KeptEntry, KeptRun, RunState, Store, StoreBounds } from './store.js'
