// The codes of the characters that reading a program turns on.

export const TAB = 9
export const LF = 10
export const FORM_FEED = 12
export const CR = 13
export const SPACE = 32
export const BANG = 33
export const DOUBLE_QUOTE = 34
export const HASH = 35
export const SINGLE_QUOTE = 39
export const LPAREN = 40
export const RPAREN = 41
export const DOT = 46
export const ZERO = 48
export const NINE = 57
export const COLON = 58
export const EQUALS = 61
export const GREATER = 62
export const QUESTION = 63
export const UPPER_A = 65
export const UPPER_N = 78
export const UPPER_Z = 90
export const LBRACKET = 91
export const BACKSLASH = 92
export const RBRACKET = 93
export const UNDERSCORE = 95
export const BACKTICK = 96
export const LOWER_A = 97
export const LOWER_Z = 122
export const LBRACE = 123
export const RBRACE = 125
/** The first code that is not ASCII. */
export const BEYOND_ASCII = 128
export const BYTE_ORDER_MARK = 0xfeff
