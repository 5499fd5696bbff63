// The bounds of an answer, whatever the database.

/** Bytes. */
export const MOST_TEXT = 4 * 1024 * 1024
export const MOST_ROWS = 10_000
