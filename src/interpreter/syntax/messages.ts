// The messages of the scanner and the parser: one template for each code.

/** A mistake without its position. */
export interface Fault {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

function fault(code: string, message: string, hint?: string): Fault {
  return hint === undefined ? { code, message } : { code, message, hint }
}

export const messages = {
  // ---- Layout ----
  unexpectedIndent: (whole: boolean) =>
    fault(
      'unexpected-indent',
      whole ? 'the first line is indented' : 'this line is indented more than the statement before it',
      whole
        ? 'start the program at the first column'
        : 'indent it like the statement before it, or end that one with : if it opens a block',
    ),
  inconsistentDedent: (got: number, open: readonly number[]) =>
    fault(
      'inconsistent-dedent',
      `this line is indented by ${got}, which matches no outer block (${open.join(', ')})`,
      'indent the line exactly like the block it belongs to',
    ),
  inconsistentTabs: () =>
    fault(
      'inconsistent-tabs',
      'tabs and spaces are mixed, so the indentation of this line depends on the width of a tab',
      'indent with spaces only',
    ),
  tabIndent: () => fault('tab-indent', 'a tab in the indentation', 'indent with spaces only'),
  missingBlock: (after: string, line: number, hint = 'indent the body, or write pass') =>
    fault('missing-block', `want an indented block after ${after} on line ${line}`, hint),
  missingColon: (after: string) => fault('missing-colon', `want ':' after ${after}`, "put ':' at the end of the line"),
  blockOnOneLine: (word: string) =>
    fault(
      'block-on-one-line',
      `a ${word} statement can't follow ':' or ';' on the same line`,
      'put it on a line of its own',
    ),

  // ---- Tokens ----
  unknownCharacter: (shown: string, hint: string | undefined) =>
    fault('unknown-character', `${shown} can't stand here`, hint),
  strayBackslash: () =>
    fault(
      'stray-backslash',
      "a '\\' must be the last character of a continued line",
      'leave it out, or use parentheses',
    ),
  unterminatedString: (quotes: string) =>
    fault(
      'unterminated-string',
      `this string is not closed: want ${quotes} before the end of the ${quotes.length === 3 ? 'program' : 'line'}`,
      quotes.length === 3 ? undefined : 'close the string, or use triple quotes for text of several lines',
    ),
  quoteInString: (quote: string) =>
    fault(
      'quote-in-string',
      `this ${quote} ends the string, and more text follows it`,
      `write \\${quote} inside the string, or put the other quotes around it`,
    ),
  badNumber: (text: string, problem: string, hint?: string) =>
    fault('bad-number', `${text} is not a number: ${problem}`, hint),
  leadingZero: (text: string, octal: string | undefined) =>
    fault(
      'leading-zero',
      `the number ${text} has leading zeros`,
      octal === undefined
        ? 'write it without leading zeros'
        : `write ${octal} for octal, or leave out the leading zeros`,
    ),
  floatOverflow: (text: string) => fault('float-overflow', `the float ${text} is too large`),
  badEscape: (text: string, problem: string, hint?: string) =>
    fault('bad-escape', `the escape ${text} ${problem}`, hint),
  bytesCharacter: (shown: string) =>
    fault(
      'bytes-character',
      `${shown} in a bytes literal, which holds ASCII characters only`,
      'write it as \\x escapes, or use "…".encode()',
    ),
  stringPrefix: (prefix: string) =>
    fault('string-prefix', `${prefix} is not a string prefix`, 'use r, b, f, rb or rf, or no prefix'),

  // ---- Brackets ----
  unclosedBracket: (bracket: string, at: string) =>
    fault('unclosed-bracket', `'${bracket}' at ${at} is never closed`, `close it with '${closerOf(bracket)}'`),
  unmatchedBracket: (bracket: string, hint?: string) => fault('unmatched-bracket', `'${bracket}' closes nothing`, hint),
  mismatchedBracket: (got: string, open: string, at: string) =>
    fault('mismatched-bracket', `got '${got}', want '${closerOf(open)}' to close '${open}' at ${at}`),

  // ---- Grammar ----
  unexpected: (got: string, want: string, hint?: string) => fault('unexpected-token', `got ${got}, want ${want}`, hint),
  orphanClause: (word: string, opener: string) =>
    fault('orphan-clause', `${word} without ${opener} before it at the same indentation`),
  elseIf: () => fault('else-if', "'else if' is written elif", 'write elif'),
  assignInCondition: (strict: boolean) =>
    fault(
      'assign-in-condition',
      "got '=' in a condition, where a comparison is wanted",
      strict ? 'write == to compare' : 'write == to compare, or := to assign and test',
    ),
  missingElse: () =>
    fault('missing-else', 'a conditional expression needs an else part', 'write: a if condition else b'),
  missingComma: (got: string, closer: string, hint = "put ',' between the elements") =>
    fault('missing-comma', `got ${got}, want ',' or '${closer}'`, hint),
  reservedWord: (word: string, hint: string) =>
    fault('reserved-word', `'${word}' is a reserved word and can't be a name`, hint),
  cannotAssign: (what: string, how: string, hint?: string) => fault('cannot-assign', `can't ${how} ${what}`, hint),
  starredAlone: () =>
    fault(
      'starred-alone',
      "a starred target '*x' must be inside a list or tuple of targets",
      'write: *x, = … or [*x] = …',
    ),
  starredTwice: () => fault('starred-twice', 'two starred targets in one assignment'),
  starredHere: (hint?: string) => fault('starred-here', "'*' can't unpack here", hint),
  walrusStatement: (name: string) =>
    fault('walrus-statement', "':=' can't stand alone as a statement", `write: ${name} = …`),
  walrusTarget: () => fault('walrus-target', "the left side of ':=' must be a plain name"),
  needsParentheses: (what: string) => fault('needs-parentheses', `${what} needs parentheses here`, 'put ( ) around it'),
  generatorArgument: () =>
    fault(
      'generator-argument',
      'a generator expression must be in parentheses when the call has other arguments',
      'put ( ) around it',
    ),
  mixedBytes: () => fault('mixed-literals', "bytes and string literals stand side by side and can't be joined"),
  mixedDict: () => fault('mixed-display', "got dict entries 'key: value' and plain elements between the same braces"),
  emptyIndex: () => fault('empty-index', "an index is missing between '[' and ']'"),
  tryWithoutHandler: () => fault('try-without-handler', 'try without except or finally', 'add: except Exception as e:'),
  bareExceptLast: () => fault('bare-except-last', "'except:' without a type must be the last clause"),

  // ---- Patterns ----
  caseWanted: (got: string, hint: string | undefined) =>
    fault('case-wanted', `got ${got} in a match statement, which holds only cases`, hint),
  orphanCase: () => fault('orphan-case', 'case without a match before it, one level further out'),
  noPattern: (got: string, hint: string | undefined) => fault('pattern-wanted', `got ${got}, want a pattern`, hint),
  patternKey: (got: string, hint: string | undefined) =>
    fault('pattern-key', `got ${got}, want a literal or a dotted name as a key of a mapping pattern`, hint),
  patternTarget: (hint?: string) => fault('pattern-target', 'a pattern can only bind a plain name', hint),
  restLast: () => fault('rest-last', "'**rest' must be the last in a mapping pattern", 'move it to the end'),
  starPatternAlone: () =>
    fault('star-pattern-alone', "a starred pattern '*x' must be inside a sequence pattern", 'write: [*x] or *x,'),
  starPatternTwice: () => fault('star-pattern-twice', 'two starred names in one sequence pattern', 'keep one of them'),
  positionalPattern: () =>
    fault('pattern-order', 'a positional pattern follows a keyword pattern', 'put the positional patterns first'),
  repeatedAttribute: (name: string) =>
    fault('repeated-attribute', `the attribute ${name} appears twice in a class pattern`),
  repeatedKey: (key: string) => fault('repeated-key', `the key ${key} appears twice in a mapping pattern`),
  boundTwice: (name: string) =>
    fault(
      'bound-twice',
      `the name ${name} is bound twice in one pattern`,
      `bind another name and compare in a guard: if ${name} == other`,
    ),
  differentNames: () =>
    fault(
      'different-names',
      "the alternatives of '|' bind different names",
      'bind the same names in each, or write separate cases',
    ),
  unreachableCase: (name: string | undefined, what: 'cases' | 'alternatives', hint: string) =>
    fault('unreachable-case', `${name ?? '_'} matches anything, so the ${what} after it are never reached`, hint),

  trailingComma: (hint: string) => fault('trailing-comma', 'a trailing comma is not allowed here', hint),

  // ---- Parameters and arguments ----
  duplicateParameter: (name: string) => fault('duplicate-parameter', `the parameter ${name} appears twice`),
  requiredAfterOptional: (name: string) =>
    fault(
      'required-after-optional',
      `the parameter ${name} has no default but follows one that has`,
      'move it before the parameters with defaults, or after a *',
    ),
  parameterOrder: (what: string) => fault('parameter-order', what),
  bareStar: () => fault('bare-star', "a bare '*' must be followed by a named parameter"),
  argumentOrder: (what: string, hint?: string) => fault('argument-order', what, hint),
  repeatedArgument: (name: string) => fault('repeated-argument', `the keyword argument ${name} appears twice`),
  argumentName: (hint: string) => fault('argument-name', 'a keyword argument must have the form name=value', hint),

  // ---- f-strings ----
  emptyField: () =>
    fault('empty-field', "an f-string field '{}' without an expression", 'write {{}} for literal braces'),
  singleBrace: () => fault('single-brace', "a single '}' in an f-string", 'write }} for a literal brace'),
  fieldNotClosed: (at: string, quote: string) =>
    fault(
      'unclosed-field',
      `the f-string field '{' at ${at} is not closed before the end of the string`,
      `write } before the closing ${quote}, or {{ for a literal brace`,
    ),
  badConversion: (got: string) => fault('bad-conversion', `got ${got} after '!' in an f-string field, want r, s or a`),

  // ---- load ----
  loadForm: (problem: string) => fault('load-form', problem, 'write: load("module", "name", alias="other")'),

  // ---- Limits ----
  nestedTooDeep: (what: string, limit: number) =>
    fault(
      'nested-too-deep',
      `${what} are nested more than ${limit} levels deep`,
      'store intermediate values in variables or split the work into functions',
    ),
  chainTooLong: (limit: number) =>
    fault(
      'chain-too-long',
      `an expression with more than ${limit} operators in a row`,
      'put the operands in a list and use sum, "".join, any or all',
    ),

  // ---- Other languages, other versions ----
  foreignSyntax: (got: string, hint: string) => fault('foreign-syntax', `${got} is not part of the language`, hint),
  markdownFence: () =>
    fault(
      'markdown-fence',
      'a Markdown code fence is not part of a program',
      'send the bare program without the ``` lines',
    ),
  unsupported: (what: string, hint?: string) => fault('unsupported-syntax', `${what} not supported`, hint),
  notStarlark: (name: Affordance) =>
    fault('not-starlark', `${affordances[name][0]} not Starlark`, affordances[name][1]),
}

export const bracesHint = "blocks start with ':' and are indented: leave the braces out"

function closerOf(bracket: string): string {
  return bracket === '(' ? ')' : bracket === '[' ? ']' : '}'
}

/** Features of the default dialect only: the subject of "… not Starlark" and the replacement. */
const affordances = {
  fString: ['f-strings are', 'use "%s" % value or "{}".format(value)'],
  adjacentLiterals: ['adjacent string literals are', 'join them with +'],
  chainedComparison: ['a chained comparison is', 'write: a < b and b < c'],
  is: ["'is' is", 'use == or !='],
  power: ["'**' between numbers is", 'multiply in a loop'],
  walrus: ["':=' is", 'assign in a statement of its own'],
  setDisplay: ['a set display is', 'write: set([…])'],
  setComprehension: ['a set comprehension is', 'write: set([… for …])'],
  generator: ['a generator expression is', 'use a list comprehension [… for …]'],
  starredTarget: ['a starred target is', 'slice the sequence instead'],
  starredDisplay: ["unpacking with '*' is", 'join lists with +, and slice instead of unpacking into *'],
  dictUnpacking: ["unpacking with '**' is", 'join dicts with |'],
  try: ["'try' is", 'check the condition before the operation'],
  raise: ["'raise' is", 'use fail("message")'],
  assert: ["'assert' is", 'write: if not condition: fail("message")'],
  del: ["'del' is", 'use list.pop(i) or dict.pop(key)'],
  with: ["'with' is", undefined],
  class: ["'class' is", 'use dicts and functions'],
  import: ["'import' is", 'leave the line out: every built-in module is already bound'],
  global: ["'global' is", 'functions can change a list or dict of the module but not rebind its names'],
  nonlocal: ["'nonlocal' is", 'change a list or dict of the enclosing function instead of rebinding'],
  yield: ["'yield' is", 'build and return a list'],
  await: ["'await' is", 'leave it out: calls are synchronous'],
  async: ["'async' is", 'leave it out: calls are synchronous'],
  decorator: ['a decorator is', 'call the function: f = decorate(f)'],
  annotation: ['an annotation is', 'leave it out'],
  numericUnderscore: ['_ in a number is', 'leave it out'],
  chainedAssignment: ['a chained assignment is', 'write one assignment per line'],
  loopElse: ["'else' after a loop is", 'set a flag before break and test it after the loop'],
  positionalOnly: ["'/' among parameters is", 'leave it out'],
  ellipsis: ["'...' is", 'use pass or None'],
  sliceTarget: ['assignment to a slice is', 'assign single elements or build a new list'],
} as const satisfies Readonly<Record<string, readonly [string, string | undefined]>>

export type Affordance = keyof typeof affordances
