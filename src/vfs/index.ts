// The door of the room `vfs`.

export { type FoundFile, type GeneratedFile, openVfs, type ResultsQuota, type Vfs, type VfsOptions } from './vfs.js'
