// The kinds of values, one bit each, so that a set of them is a number.

export const INT = 1
export const FLOAT = 2
export const BOOL = 4
export const STR = 8
export const NONE = 16
export const LIST = 32
export const TUPLE = 64
export const DICT = 128
export const SET = 256
export const FUNCTION = 512
export const OTHER = 1024
/** No value: a variable that may not have been assigned yet. */
export const ABSENT = 2048
/** A dict that is a JavaScript Map for sure (DICT: a Map, a record or a shell). */
export const MAP = 4096
/** A function of the host, and a namespace of such functions. */
export const TOOL = 8192
export const NAMESPACE = 16384
export const BYTES = 32768
export const RANGE = 65536

/** Kinds that can't be iterated over, called or indexed. */
export const SCALARS = NONE | BOOL | INT | FLOAT
/** Kinds whose behaviour is known completely. */
export const KNOWN = SCALARS | STR | LIST | TUPLE | DICT | SET
