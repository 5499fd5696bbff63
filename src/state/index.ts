export { FileShelf, type FileShelfOptions, type OwnedFiles } from './file-shelf.js'
export { FileStore } from './file-store.js'
export { MemoryStore } from './memory-store.js'
export {
  charactersOf,
  type KeptEntry,
  type KeptRun,
  type KeptValues,
  type RunState,
  type Store,
  type StoreBounds,
  type ValueBounds,
  type ValueChanges,
} from './store.js'
