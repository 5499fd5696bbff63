// The files of an answer that a model may see, in the words that formats share. Formats that have no place for a file in
// the result of a tool leave it out: the answer's text names it.

import type { Answer } from '../index.js'

export interface ShownFile {
  readonly kind: 'image' | 'pdf'
  readonly mimeType: string
  /** Base64. */
  readonly data: string
  readonly name: string
}

/** Providers take no files with a failure. */
export function shownFiles({ files = [], isError }: Answer): ShownFile[] {
  if (isError) return []
  return files.flatMap((file): ShownFile[] => {
    if (file.type === 'image') return [{ kind: 'image', mimeType: file.mimeType, data: file.data, name: '' }]
    const { uri, mimeType, blob } = file.resource
    return mimeType === 'application/pdf'
      ? [{ kind: 'pdf', mimeType, data: blob, name: uri.slice(uri.lastIndexOf('/') + 1) }]
      : []
  })
}

export function dataUrl({ mimeType, data }: ShownFile): string {
  return `data:${mimeType};base64,${data}`
}
