// Servers whose every word tries to break out of the place that it is put into.

import type { ToolServer } from '../../dist/bindings/index.js'
import type { Random } from '../random.js'

const evil = [
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v',
  '\f',
  '\t',
  '\0',
  '\u001b',
  '\\',
  '\\\n',
  '"',
  "'",
  '"""',
  "'''",
  '#',
  '*/',
  '/*',
  '//',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\udfff',
  '\u{e0041}',
  '💥',
  'é',
  '(',
  ')',
  '[',
  '{',
  '}',
  ':',
  ';',
  '=',
  '->',
  '...',
  ', ',
  '`',
  '$',
  '{{',
  'f"{x}"',
  '\ndef evil(): ...\n',
  '\nclass Evil(TypedDict):\n    a: int\n',
  '"""\ndef evil(): ...\n"""',
  "'''\nimport os\n'''",
  '\n    def evil(): ...',
  '") -> Any: ...\ndef evil(',
  'type: ignore',
  'pyright: basic',
  '-*- coding: utf-7 -*-',
  'x',
  'word',
  ' ',
  '  ',
  '1',
  '. ',
  '\nresult = 1\n',
  'ﬁ',
  'K',
] as const

/** Some words of that kind. */
export function hostileText(from: Random): string {
  return Array.from({ length: from.below(9) }, () => from.pick(evil)).join('')
}

function schema(from: Random, depth: number): unknown {
  if (depth > 3 || from.chance(0.2))
    return { type: 'string', description: hostileText(from), pattern: hostileText(from), format: hostileText(from) }
  const key = () => hostileText(from) || 'k'
  return from.pick([
    () => ({ enum: [hostileText(from), hostileText(from), from.below(9), true, null], default: hostileText(from) }),
    () => ({ const: hostileText(from), title: hostileText(from) }),
    () => ({ type: 'array', items: schema(from, depth + 1), examples: [hostileText(from)] }),
    () => ({ anyOf: [schema(from, depth + 1), schema(from, depth + 1)], description: hostileText(from) }),
    () => ({
      type: 'object',
      title: hostileText(from),
      description: hostileText(from),
      properties: Object.fromEntries(Array.from({ length: from.below(4) }, () => [key(), schema(from, depth + 1)])),
      required: [key()],
      default: { [key()]: hostileText(from) },
      ...(from.chance(0.5) ? { additionalProperties: schema(from, depth + 1) } : {}),
    }),
    () => ({ $ref: `#/$defs/${hostileText(from)}` }),
    () => ({ type: hostileText(from) }),
  ])()
}

export function hostileServers(from: Random): ToolServer[] {
  return Array.from({ length: 2 }, () => ({
    name: hostileText(from),
    description: hostileText(from),
    tools: Array.from({ length: 1 + from.below(5) }, () => ({
      name: hostileText(from),
      title: hostileText(from),
      description: hostileText(from),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: from.below(5) }, () => [hostileText(from), schema(from, 0)]),
        ),
        $defs: { [hostileText(from)]: schema(from, 0) },
      },
      ...(from.chance(0.5) ? { outputSchema: schema(from, 0) as object } : {}),
    })),
  })).filter((server, i, all) => i === 0 || server.name !== all[0]!.name) as ToolServer[]
}
