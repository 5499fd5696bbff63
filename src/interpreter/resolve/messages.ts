// The messages about names, scopes and misplaced statements: one template for each mistake.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import { didYouMean, mistake } from '../mistake.js'

/** Names in other languages, and their counterparts here. */
const foreignNames: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
  none: 'None',
  nil: 'None',
  undefined: 'None',
  this: 'the variable itself: there is no implicit receiver',
  console: 'print(…)',
}

export const messages = {
  undefinedName(span: Span, name: string, near: readonly string[], inDecorator = false): Diagnostic {
    const known = foreignNames[name]
    const hint =
      known !== undefined
        ? `write ${known}`
        : (didYouMean(near) ?? (inDecorator ? 'remove the decorator, or define it in the program' : undefined))
    return mistake('undefined-name', span, `undefined: ${name}`, hint)
  },
  toolElsewhere: (span: Span, name: string, tool: string) =>
    mistake('undefined-name', span, `undefined: ${name}`, `write ${tool}`),
  /** The message for an unknown name before a dot. */
  undefinedServer(span: Span, name: string, servers: readonly string[]): Diagnostic {
    if (foreignNames[name] !== undefined) return messages.undefinedName(span, name, [])
    const more = servers.length > 12 ? ` and ${servers.length - 12} more` : ''
    return mistake(
      'undefined-name',
      span,
      `undefined: ${name}`,
      `the servers are ${servers.slice(0, 12).join(', ')}${more}`,
    )
  },
  usedTooEarly: (span: Span, name: string, first: Span) =>
    mistake(
      'used-too-early',
      span,
      `undefined: ${name} is assigned only at program:${first.line}:${first.column}`,
      `assign ${name} before this line`,
    ),
  refusedName(span: Span, name: string, reason: string, instead: string): Diagnostic {
    return mistake('refused-name', span, `${name} is not available: ${reason}`, instead)
  },
  returnOutside: (span: Span) =>
    mistake(
      'misplaced-return',
      span,
      'return statement not within a function',
      'set `result = …` at the top level instead',
    ),
  loopOnly: (span: Span, word: 'break' | 'continue') => mistake('misplaced-jump', span, `${word} not in a loop`),
  yieldOutside: (span: Span) => mistake('misplaced-yield', span, 'yield outside a function'),
  yieldInComprehension: (span: Span) =>
    mistake('misplaced-yield', span, 'yield inside a comprehension', 'write a for loop that yields in its body'),
  notInFunction: (span: Span, what: string) =>
    mistake(
      'top-level-control',
      span,
      `${what} not within a function`,
      'top-level control flow is switched off: put it into a function and call it',
    ),
  whileOff: (span: Span) =>
    mistake('while-disabled', span, 'dialect does not support while loops', 'use `for _ in range(n)` with `break`'),
  globalReassigned: (span: Span, name: string, first: Span) =>
    mistake(
      'global-reassigned',
      span,
      `cannot reassign global ${name} declared at program:${first.line}:${first.column}`,
      'use a new name',
    ),
  loadRefused: (span: Span) =>
    mistake(
      'load-refused',
      span,
      'load is not available: programs import nothing',
      'every available name is already bound',
    ),
  loadPlace: (span: Span, where: 'a function' | 'a conditional' | 'a loop') =>
    mistake('misplaced-load', span, `load statement within ${where}`),
  loadName: (span: Span, text: string) => mistake('bad-load', span, text),
  importRefused: (span: Span, module: string, reason: string, instead: string) =>
    mistake('import-refused', span, `import of ${module} is not available: ${reason}`, instead),
  importUnknown: (span: Span, module: string, near: readonly string[]) =>
    mistake(
      'import-unknown',
      span,
      `there is no module ${module}: imports load nothing; they only name built-in modules`,
      didYouMean(near) ?? 'call an MCP tool instead',
    ),
  toolOfServer: (span: Span, name: string, tool: string, server: string) =>
    mistake(
      'not-in-module',
      span,
      `${name} has no ${tool}: the server ${name} is called ${server} here, because ${name} is a name of the language`,
      `write ${server}.${tool}(…)`,
    ),
  notInModule: (span: Span, module: string, name: string, near: readonly string[], tool?: string) =>
    mistake(
      'not-in-module',
      span,
      `module ${module} has no ${name}`,
      tool !== undefined ? `write ${tool}` : didYouMean(near),
    ),
  unknownZone: (span: Span, name: string, near: readonly string[]) =>
    mistake(
      'unknown-zone',
      span,
      `there is no time zone ${JSON.stringify(name)}`,
      didYouMean(near.map((one) => JSON.stringify(one))),
    ),
  unknownMember: (span: Span, namespace: string, name: string, near: readonly string[]) =>
    mistake(
      'unknown-tool',
      span,
      `${namespace} has no tool ${name}`,
      didYouMean(near.map((n) => `${namespace}.${n}`)) ?? `list its tools with readToolFile("${namespace}")`,
    ),
  unavailable: (span: Span, name: string, reason: string): Diagnostic => ({
    class: 'host error',
    code: 'server-unavailable',
    message: `${name} can't be reached: ${reason}`,
    span,
  }),
  importStar: (span: Span, module: string) =>
    mistake(
      'import-star',
      span,
      `from ${module} import * is not available`,
      `write ${module}.name, or import the names you need`,
    ),
  nonlocalUnknown: (span: Span, name: string) =>
    mistake('no-nonlocal', span, `no binding for nonlocal ${name} in an enclosing function`),
  scopeAfterUse: (span: Span, name: string, word: 'global' | 'nonlocal') =>
    mistake(
      'late-scope',
      span,
      `${name} is used or assigned before its ${word} declaration`,
      `put the ${word} statement first in the function`,
    ),
  unsupported: (span: Span, what: string, instead: string) =>
    mistake('not-supported', span, `${what} is not supported`, instead),
}
