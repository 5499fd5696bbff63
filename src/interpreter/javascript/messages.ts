// The messages about JavaScript programs before they run: one template for each mistake. A mistake that Starlark
// programs can make, too, has the same code.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import { didYouMean, mistake } from '../mistake.js'

/** The maximum number of diagnostics for one program. */
export const MOST_DIAGNOSTICS = 10

/** Names of Python, and their counterparts here. */
const foreignNames: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  len: 'x.length',
  str: 'String(x)',
  int: 'Math.trunc(Number(x))',
  float: 'Number(x)',
  list: 'Array.from(x)',
  dict: 'an object: { a: 1 }',
  range: 'Array.from({ length: n }, (_, i) => i)',
  sorted: 'x.toSorted((a, b) => a - b)',
  json: 'JSON',
  re: 'a regular expression: /…/g',
}

export const messages = {
  syntax: (span: Span, message: string, hint?: string) => mistake('syntax-error', span, message, hint),
  nestedTooDeep: (span: Span) =>
    mistake(
      'nested-too-deep',
      span,
      'brackets, blocks, functions or operators are nested too deeply here',
      'store intermediate values in variables or split the work into functions',
    ),
  undefinedName: (span: Span, name: string, near: readonly string[]) =>
    mistake(
      'undefined-name',
      span,
      `undefined: ${name}`,
      Object.hasOwn(foreignNames, name) ? `write ${foreignNames[name]}` : didYouMean(near),
    ),
  /** `tool` is the expression for the tool. */
  toolElsewhere: (span: Span, name: string, tool: string) =>
    mistake('undefined-name', span, `undefined: ${name}`, `write ${tool}`),
  toolOfServer: (span: Span, name: string, tool: string, server: string) =>
    mistake(
      'undefined-name',
      span,
      `${name} has no ${tool}: the server ${name} is called ${server} here, because ${name} is a name of the language`,
      `write ${server}.${tool}({…})`,
    ),
  refusedName: (span: Span, name: string, reason: string, instead: string) =>
    mistake('refused-name', span, `${name} is not available: ${reason}`, instead),
  importRefused: (span: Span, what: string) =>
    mistake(
      'import-refused',
      span,
      `${what} is not available: programs import nothing`,
      'servers and the JavaScript library are already bound',
    ),
  exportRefused: (span: Span, what: 'function' | 'value') =>
    mistake(
      'export-refused',
      span,
      'export is not available: programs export nothing',
      what === 'function' ? 'leave the word out, and call the function' : 'assign to `result`, or return a value',
    ),
  namedArgument: (span: Span, name: string, value: string, hint: string) =>
    mistake('named-argument', span, `${name} = ${value} is an assignment: JavaScript has no named arguments`, hint),
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
  serverAssigned: (span: Span, name: string) =>
    mistake('constant-assigned', span, `${name} is a server and can't be assigned`, 'use a name of your own'),
  constantAssigned: (span: Span, name: string) =>
    mistake('constant-assigned', span, `${name} is declared with const and can't be assigned`, 'declare it with let'),
  serverCalled: (span: Span, name: string) =>
    mistake('not-callable', span, `${name} is a server and can't be called`, 'call one of its tools'),
  noField: (span: Span, what: string, field: string, near: readonly string[], fields: readonly string[]) =>
    mistake(
      'no-field',
      span,
      `${what} has no field ${field}`,
      didYouMean(near) ?? `its fields are ${fields.slice(0, 12).join(', ')}`,
    ),
  noMember: (span: Span, what: string, name: string, hint: string) =>
    mistake('no-field', span, `${what} has no field ${name}`, hint),
  missingAwait: (span: Span, call: string, what: 'a promise' | 'promises', use: string, hint: string) =>
    mistake('missing-await', span, `${call} gives ${what}, and ${use}`, hint),
}
