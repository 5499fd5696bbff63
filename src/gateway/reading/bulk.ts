/** The base64 text of a content block; undefined for other blocks and values. */
export function bulkOf(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const { data, resource } = block as {
    readonly data?: unknown
    readonly resource?: { readonly blob?: unknown } | null
  }
  const bulk = typeof resource === 'object' && resource !== null ? resource.blob : data
  return typeof bulk === 'string' ? bulk : undefined
}
