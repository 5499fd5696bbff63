// The kinds of tokens. They are small integers, so precedences and properties are plain arrays.

import type { BinaryOperator } from './nodes.js'

export type TokenKind = number

export const END: TokenKind = 0
export const NEWLINE: TokenKind = 1
export const INDENT: TokenKind = 2
export const DEDENT: TokenKind = 3

export const NAME: TokenKind = 4
export const INT: TokenKind = 5
export const FLOAT: TokenKind = 6
export const STRING: TokenKind = 7
export const BYTES: TokenKind = 8
/** The opening of an f-string, up to and including its quotes: the parser reads the rest. */
export const FSTRING: TokenKind = 9

export const LPAREN: TokenKind = 10
export const RPAREN: TokenKind = 11
export const LBRACKET: TokenKind = 12
export const RBRACKET: TokenKind = 13
export const LBRACE: TokenKind = 14
export const RBRACE: TokenKind = 15
export const COMMA: TokenKind = 16
export const COLON: TokenKind = 17
export const SEMICOLON: TokenKind = 18
export const DOT: TokenKind = 19
export const ELLIPSIS: TokenKind = 20
export const ARROW: TokenKind = 21
export const BANG: TokenKind = 22
export const AT: TokenKind = 23
export const ASSIGN: TokenKind = 24
export const WALRUS: TokenKind = 25
/** `+=` and similar: the operator is the token's word. */
export const AUGMENTED: TokenKind = 26
/** Invalid text. Its fault has been reported, so later stages give up silently. */
export const BAD: TokenKind = 27

export const PLUS: TokenKind = 30
export const MINUS: TokenKind = 31
export const STAR: TokenKind = 32
export const SLASH: TokenKind = 33
const SLASH_SLASH: TokenKind = 34
export const PERCENT: TokenKind = 35
export const POWER: TokenKind = 36
export const PIPE: TokenKind = 37
const CARET: TokenKind = 38
export const AMPERSAND: TokenKind = 39
const SHIFT_LEFT: TokenKind = 40
const SHIFT_RIGHT: TokenKind = 41
export const TILDE: TokenKind = 42
export const EQ: TokenKind = 43
export const NE: TokenKind = 44
export const LT: TokenKind = 45
export const GT: TokenKind = 46
export const LE: TokenKind = 47
export const GE: TokenKind = 48

export const FIRST_KEYWORD: TokenKind = 50
export const AND: TokenKind = 50
export const AS: TokenKind = 51
export const ASSERT: TokenKind = 52
export const ASYNC: TokenKind = 53
export const AWAIT: TokenKind = 54
export const BREAK: TokenKind = 55
export const CLASS: TokenKind = 56
export const CONTINUE: TokenKind = 57
export const DEF: TokenKind = 58
export const DEL: TokenKind = 59
export const ELIF: TokenKind = 60
export const ELSE: TokenKind = 61
export const EXCEPT: TokenKind = 62
export const FINALLY: TokenKind = 63
export const FOR: TokenKind = 64
export const FROM: TokenKind = 65
export const GLOBAL: TokenKind = 66
export const IF: TokenKind = 67
export const IMPORT: TokenKind = 68
export const IN: TokenKind = 69
export const IS: TokenKind = 70
export const LAMBDA: TokenKind = 71
export const NONLOCAL: TokenKind = 72
export const NOT: TokenKind = 73
export const OR: TokenKind = 74
export const PASS: TokenKind = 75
export const RAISE: TokenKind = 76
export const RETURN: TokenKind = 77
export const TRY: TokenKind = 78
export const WHILE: TokenKind = 79
export const WITH: TokenKind = 80
export const YIELD: TokenKind = 81
/** A keyword in strict mode only. */
export const LOAD: TokenKind = 82
const KIND_COUNT = 83

const keywordKinds: Readonly<Record<string, TokenKind>> = {
  and: AND,
  as: AS,
  assert: ASSERT,
  async: ASYNC,
  await: AWAIT,
  break: BREAK,
  class: CLASS,
  continue: CONTINUE,
  def: DEF,
  del: DEL,
  elif: ELIF,
  else: ELSE,
  except: EXCEPT,
  finally: FINALLY,
  for: FOR,
  from: FROM,
  global: GLOBAL,
  if: IF,
  import: IMPORT,
  in: IN,
  is: IS,
  lambda: LAMBDA,
  nonlocal: NONLOCAL,
  not: NOT,
  or: OR,
  pass: PASS,
  raise: RAISE,
  return: RETURN,
  try: TRY,
  while: WHILE,
  with: WITH,
  yield: YIELD,
}

export const keywords: ReadonlyMap<string, TokenKind> = new Map(Object.entries(keywordKinds))
/** Strict mode's keywords. */
export const strictKeywords: ReadonlyMap<string, TokenKind> = new Map([...keywords, ['load', LOAD]])

/** The kinds of tokens of one character, by character code; an opening bracket's kind is one less than its closer's. */
export const singleKinds = new Uint8Array(128)
/** The kinds of operators that can be doubled or followed by '=', by character code. */
export const operatorKinds = new Uint8Array(128)
/** The meaning of an operator whose characters are doubled. */
export const doubledKinds = new Uint8Array(128)
const singles = [LPAREN, RPAREN, LBRACKET, RBRACKET, LBRACE, RBRACE, COMMA, SEMICOLON, TILDE]
for (const [i, kind] of singles.entries()) singleKinds['()[]{},;~'.charCodeAt(i)] = kind
const operators = [PLUS, MINUS, STAR, SLASH, PERCENT, AT, CARET, AMPERSAND, PIPE, LT, GT]
for (const [i, kind] of operators.entries()) operatorKinds['+-*/%@^&|<>'.charCodeAt(i)] = kind
const doubled = [POWER, SLASH_SLASH, SHIFT_LEFT, SHIFT_RIGHT]
for (const [i, kind] of doubled.entries()) doubledKinds['*/<>'.charCodeAt(i)] = kind

/** Binding power of the kinds that can stand between two operands; 0 for all others. */
export const precedences = new Uint8Array(KIND_COUNT)
export const OR_LEVEL = 1
export const AND_LEVEL = 2
export const NOT_LEVEL = 3
export const COMPARISON_LEVEL = 4
export const BITWISE_OR_LEVEL = 5
precedences[OR] = OR_LEVEL
precedences[AND] = AND_LEVEL
for (const kind of [EQ, NE, LT, GT, LE, GE, IN, IS, NOT]) precedences[kind] = COMPARISON_LEVEL
precedences[PIPE] = BITWISE_OR_LEVEL
precedences[CARET] = 6
precedences[AMPERSAND] = 7
for (const kind of [SHIFT_LEFT, SHIFT_RIGHT]) precedences[kind] = 8
for (const kind of [PLUS, MINUS]) precedences[kind] = 9
for (const kind of [STAR, SLASH, SLASH_SLASH, PERCENT, AT]) precedences[kind] = 10

/** The spelling of the binary operators by kind. `**` binds apart from the others. */
export const binaryOperators: readonly (BinaryOperator | undefined)[] = operatorTable()

function operatorTable(): (BinaryOperator | undefined)[] {
  const table: (BinaryOperator | undefined)[] = new Array<undefined>(KIND_COUNT).fill(undefined)
  table[PLUS] = '+'
  table[MINUS] = '-'
  table[STAR] = '*'
  table[SLASH] = '/'
  table[SLASH_SLASH] = '//'
  table[PERCENT] = '%'
  table[AT] = '@'
  table[POWER] = '**'
  table[PIPE] = '|'
  table[CARET] = '^'
  table[AMPERSAND] = '&'
  table[SHIFT_LEFT] = '<<'
  table[SHIFT_RIGHT] = '>>'
  return table
}

/** The kinds with which an expression can begin. */
export const startsExpression = new Uint8Array(KIND_COUNT)
for (const kind of [
  ...[NAME, INT, FLOAT, STRING, BYTES, FSTRING, LPAREN, LBRACKET, LBRACE, ELLIPSIS],
  ...[PLUS, MINUS, TILDE, NOT, LAMBDA, AWAIT, YIELD],
])
  startsExpression[kind] = 1

/** Keywords that begin a statement and can't occur inside an expression: an open bracket before them was forgotten. */
export const beginsStatementOnly = new Uint8Array(KIND_COUNT)
for (const kind of [
  ...[ASSERT, BREAK, CLASS, CONTINUE, DEF, DEL, ELIF, EXCEPT, FINALLY, FROM, GLOBAL, IMPORT, NONLOCAL],
  ...[PASS, RAISE, RETURN, TRY, WHILE, WITH],
])
  beginsStatementOnly[kind] = 1
