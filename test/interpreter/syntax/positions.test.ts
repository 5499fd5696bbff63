// Positions: offsets to lines and columns, and the offsets of nodes.

import { describe, expect, it } from 'vitest'
import { type Expression, lineStarts, type Node, Positions, parse } from '../../../dist/interpreter/syntax/index.js'
import { readGolden } from './golden.js'

describe('lines and columns', () => {
  const text = 'ab\ncd\r\n\rx😀y\n'
  const positions = new Positions(text)

  it('start after \\n, \\r\\n and a lone \\r', () => expect(lineStarts(text)).toEqual([0, 3, 7, 8, 13]))

  it.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 2, 1],
    [6, 2, 4],
    [7, 3, 1],
    [8, 4, 1],
    [9, 4, 2],
    [11, 4, 4],
    [13, 5, 1],
    [99, 5, 1],
    [-1, 1, 1],
  ])('offset %i is %i:%i', (offset, line, column) => expect(positions.at(offset)).toEqual({ line, column }))

  it('make spans', () => {
    expect(positions.span(1, 9)).toEqual({ line: 1, column: 2, endLine: 4, endColumn: 2 })
    expect(positions.span(5, 3)).toEqual({ line: 2, column: 3, endLine: 2, endColumn: 3 })
  })

  it('are found in a text without lines', () => expect(new Positions('').at(0)).toEqual({ line: 1, column: 1 }))

  it('do not break at other separators', () => expect(lineStarts('a\u2028b\u0085c\vd\fe')).toEqual([0]))
})

/** Every node below a value, outermost first. */
function nodesBelow(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const item of value) nodesBelow(item, found)
  else if (typeof value === 'object' && value !== null) {
    if ('kind' in value) found.push(value as Node)
    for (const child of Object.values(value)) nodesBelow(child, found)
  }
  return found
}

/** The source text of every expression of a program, by kind. */
function sources(text: string): string[] {
  const { file } = parse(text, { strict: false })
  return nodesBelow(file.body).map((node) => `${node.kind} ${text.slice(node.start, node.end)}`)
}

describe('nodes', () => {
  it.each([
    ['  # c\nx = (a)', ['AssignStmt x = (a)', 'Identifier x', 'ParenExpr (a)', 'Identifier a']],
    ['x = (a, b)', ['AssignStmt x = (a, b)', 'Identifier x', 'TupleExpr (a, b)', 'Identifier a', 'Identifier b']],
    ['x = a, b,', ['AssignStmt x = a, b,', 'Identifier x', 'TupleExpr a, b,', 'Identifier a', 'Identifier b']],
    ['-a ** b', ['ExprStmt -a ** b', 'UnaryExpr -a ** b', 'BinaryExpr a ** b', 'Identifier a', 'Identifier b']],
    [
      'f(a, *b, c=1, **d) # e',
      [
        'ExprStmt f(a, *b, c=1, **d)',
        'CallExpr f(a, *b, c=1, **d)',
        'Identifier f',
        'Argument a',
        'Identifier a',
        'Argument *b',
        'Identifier b',
        'Argument c=1',
        'Identifier c',
        'IntLiteral 1',
        'Argument **d',
        'Identifier d',
      ],
    ],
    [
      'def f(a: b = c, *d):\n  pass\n\n# e\n',
      [
        'DefStmt def f(a: b = c, *d):\n  pass',
        'Identifier f',
        'Parameter a: b = c',
        'Identifier a',
        'Identifier c',
        'Identifier b',
        'Parameter *d',
        'Identifier d',
        'PassStmt pass',
      ],
    ],
    [
      'if a: b\nelif c:\n  d\nelse: e\n\nf',
      [
        'IfStmt if a: b\nelif c:\n  d\nelse: e',
        'Identifier a',
        'ExprStmt b',
        'Identifier b',
        'IfStmt elif c:\n  d\nelse: e',
        'Identifier c',
        'ExprStmt d',
        'Identifier d',
        'ExprStmt e',
        'Identifier e',
        'ExprStmt f',
        'Identifier f',
      ],
    ],
    [
      'x = f"é{ a[f\'{b!r}\'] :>{ w }}😀{c = }" "d"',
      [
        'AssignStmt x = f"é{ a[f\'{b!r}\'] :>{ w }}😀{c = }" "d"',
        'Identifier x',
        'FString f"é{ a[f\'{b!r}\'] :>{ w }}😀{c = }" "d"',
        "FStringField { a[f'{b!r}'] :>{ w }}",
        "IndexExpr a[f'{b!r}']",
        'Identifier a',
        "FString f'{b!r}'",
        'FStringField {b!r}',
        'Identifier b',
        'FStringField { w }',
        'Identifier w',
        'FStringField {c = }',
        'Identifier c',
      ],
    ],
    [
      'f"""\n{\n  a +\n  b}"""',
      [
        'ExprStmt f"""\n{\n  a +\n  b}"""',
        'FString f"""\n{\n  a +\n  b}"""',
        'FStringField {\n  a +\n  b}',
        'BinaryExpr a +\n  b',
        'Identifier a',
        'Identifier b',
      ],
    ],
    [
      'f"{x["k"]}"',
      [
        'ExprStmt f"{x["k"]}"',
        'FString f"{x["k"]}"',
        'FStringField {x["k"]}',
        'IndexExpr x["k"]',
        'Identifier x',
        'StringLiteral "k"',
      ],
    ],
  ])('of %j', (text, expected) => expect(sources(text)).toEqual(expected))

  it('have the places of the parentheses of their calls', () => {
    const text = 'c (d)'
    const statement = parse(text, { strict: false }).file.body[0]
    const call = statement?.kind === 'ExprStmt' ? statement.expression : undefined
    expect(call).toMatchObject({ kind: 'CallExpr', open: text.indexOf('(') })
  })

  it.each(readGolden('trees.txt'))('cover their children: $program', ({ program }) => {
    const { file } = parse(program, { strict: false })
    for (const node of nodesBelow(file)) {
      expect(node.start).toBeLessThanOrEqual(node.end)
      for (const child of nodesBelow(Object.values(node))) {
        // The loop over adjacent parts of a comprehension's tuple aside, text never leaves its parent.
        expect([child.kind, child.start >= node.start && child.end <= node.end]).toEqual([child.kind, true])
      }
    }
  })

  it('skip a byte order mark and count it', () => {
    const { file, diagnostics } = parse('\ufeffx = y', { strict: true })
    expect(diagnostics).toEqual([])
    expect(file.body[0]).toMatchObject({ kind: 'AssignStmt', start: 1, end: 6 })
  })
})

describe('literals', () => {
  function literal(text: string, strict = false): Expression {
    const { file, diagnostics } = parse(text, { strict })
    expect(diagnostics).toEqual([])
    const statement = file.body[0]
    if (statement?.kind !== 'ExprStmt') throw new Error('not an expression')
    return statement.expression
  }

  it('are integers of any size', () => {
    expect(literal('9007199254740993')).toMatchObject({ value: 9007199254740993n })
    expect(literal(`0x${'f'.repeat(100)}`)).toMatchObject({ value: 16n ** 100n - 1n })
    expect(literal('7'.repeat(10_000))).toMatchObject({ value: BigInt('7'.repeat(10_000)) })
  })

  it('overflow to infinity outside strict mode', () => expect(literal('1e999')).toMatchObject({ value: Infinity }))

  it('hold the label that a self-documenting field prints', () => {
    const { parts } = literal('f"{x = }{y=!s}{z =:>3}{w}"') as Expression & { kind: 'FString' }
    expect(parts.map((p) => (typeof p === 'string' ? p : [p.label, p.conversion, p.spec]))).toEqual([
      ['x = ', 'r', undefined],
      ['y=', 's', undefined],
      ['z =', undefined, ['>3']],
      [undefined, undefined, undefined],
    ])
  })

  it('normalise line breaks', () => {
    expect(literal('"""a\r\nb\rc\nd"""')).toMatchObject({ value: 'a\nb\nc\nd' })
    expect(literal('r"""a\\\r\nb"""', true)).toMatchObject({ value: 'a\\\nb' })
    expect(literal('b"""a\r\nb"""', true)).toMatchObject({ value: [97, 10, 98] })
    expect(literal('"a\\\r\nb"')).toMatchObject({ value: 'ab' })
  })
})
