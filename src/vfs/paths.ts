// Paths as models write them.
// Invariant: a normal path is relative to the root and has no empty, `.` or `..` part.

/** The normal form of a path; undefined when it leads above the root or is no path at all. */
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

/** The form in which paths are compared when case does not matter. */
export function foldPath(path: string): string {
  return path.toLowerCase().replace(/[-. ]/g, '_')
}

/** A path without the parts that may be left out: the folder of stubs and a known ending. */
export function shortPath(path: string): string {
  return path.replace(/^servers\//i, '').replace(/\.(?:pyi|d\.ts|md|json)$/i, '')
}

/** A file name that holds nothing but letters, digits, `_`, `-` and dots between them. */
export function safeFileName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^\.+|\.+$/g, '')
  return safe === '' ? 'file' : safe.slice(-120)
}
