export type { Artifact } from './artifact.js'
export { safeFileName } from './paths.js'
export { type Keeper, Room } from './room.js'
export {
  defaultQuota,
  type FoundFile,
  type GeneratedFile,
  openVfs,
  type ResultsQuota,
  type Vfs,
  type VfsOptions,
} from './vfs.js'
