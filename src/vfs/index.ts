export { type Artifact, type ContentFacts, factsOf, type KnownContent } from './artifact.js'
export {
  type ByteRange,
  defaultQuota,
  KeptFiles,
  type ResultsQuota,
  type Shelf,
  type ShelvedFile,
} from './kept-files.js'
export { safeFileName } from './paths.js'
export { type Keeper, Room } from './room.js'
export { type FoundFile, type GeneratedFile, openVfs, type Vfs, type VfsOptions } from './vfs.js'
