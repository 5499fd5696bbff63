// The dialect of this guest. It is fixed when the prelude is evaluated: an image is either strict or not.

/** The image sets this in front of the prelude's text. */
declare const STARBIND_STRICT: boolean

/** Pure Starlark. */
export const strict: boolean = STARBIND_STRICT

/** Starlark with Python's affordances. Where the two differ, Python's meaning holds. */
export const python: boolean = !strict
