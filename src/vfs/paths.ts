// Invariant: a normal path is relative to the root and has no empty, `.` or `..` part.

/** The normal form of a path that a model wrote; undefined if it leads above the root or is not a path. */
export function normalPath(raw: string): string | undefined {
  if (raw.includes('\0')) return undefined
  const parts: string[] = []
  for (const part of raw.trim().replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.length === 0 ? undefined : parts.join('/')
}

/** The form for comparisons without regard to case. */
export function foldPath(path: string): string {
  return path.toLowerCase().replace(/[-. ]/g, '_')
}

/** A path without its optional parts: the folder of stubs and a known extension. */
export function shortPath(path: string): string {
  return path.replace(/^servers\//i, '').replace(/\.(?:pyi|d\.ts|md|json)$/i, '')
}

/** A file name of letters, digits, `_`, `-`, and dots between them. */
export function safeFileName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^\.+|\.+$/g, '')
  if (safe === '') return 'file'
  // Windows takes these for devices, whatever their ending.
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe) ? `_${safe.slice(-119)}` : safe.slice(-120)
}
