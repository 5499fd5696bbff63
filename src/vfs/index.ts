export type { Artifact, KnownContent } from './artifact.js'
export {
  defaultQuota,
  KeptFiles,
  type ResultsQuota,
} from './kept-files.js'
export { safeFileName } from './paths.js'
export { type Keeper, Room } from './room.js'
export { type GeneratedFile, openVfs, type Vfs } from './vfs.js'
