// Small random programs from a seed: expressions over values of all kinds, in statements that catch what they raise, so
// that every line prints a value or an exception.

import type { Random } from '../../random.js'

const atoms: Readonly<Record<string, readonly string[]>> = {
  int: ['0', '1', '-1', '2', '7', '-13', '255', '10**12', '2**70', 'True', 'n', 'len(s)'],
  float: ['0.0', '1.5', '-2.25', '1e10', '0.1', 'float("inf")', 'x'],
  str: ['""', '"a"', '"abc"', '"Hello World"', '"é€"', 's', '"12"', '" pad "', 'str(n)', 'f"{n}-{x}"'],
  list: [
    '[]',
    '[1, 2, 3]',
    '["b", "a"]',
    '[1, "x", None]',
    'xs',
    'list(range(n))',
    '[i * i for i in range(4)]',
    'sorted(xs)',
  ],
  tuple: ['()', '(1,)', '(1, "a")', 'tuple(xs)', '(n, x, s)'],
  dict: ['{}', '{"a": 1}', '{1: "x", True: "y"}', 'd', 'dict(d, z=0)', '{k: v for k, v in zip("ab", xs)}'],
  bool: ['True', 'False', '(n > 2)', '(s == "abc")', '(not xs)', '("a" in d)', 'isinstance(n, int)', '(x is None)'],
  none: ['None'],
}
const kinds = Object.keys(atoms)

export function program({ pick, chance }: Random): string {
  const kind = (): string => pick(kinds)
  const value = (depth: number, of = kind()): string => {
    if (depth <= 0 || chance(0.35)) return pick(atoms[of]!)
    const a = (k?: string): string => value(depth - 1, k)
    switch (of) {
      case 'int':
        return pick([
          () => `(${a('int')} ${pick(['+', '-', '*', '//', '%', '&', '|', '^'])} ${a('int')})`,
          () => `abs(${a('int')})`,
          () => `len(${a(pick(['str', 'list', 'tuple', 'dict']))})`,
          () => `int(${a(pick(['float', 'bool', 'int', 'str']))})`,
          () => `sum(${a('list')})`,
          () => `${a('str')}.count(${a('str')})`,
          () => `${a('list')}.index(${a()})`,
          () => `max(${a('list')})`,
          () => `(-${a('int')})`,
          () => `round(${a('float')})`,
        ])()
      case 'float':
        return pick([
          () => `(${a('float')} ${pick(['+', '-', '*', '/'])} ${a(pick(['float', 'int']))})`,
          () => `(${a('int')} / ${a('int')})`,
          () => `float(${a(pick(['int', 'str', 'bool']))})`,
          () => `round(${a('float')}, ${pick(['0', '1', '2', '-1'])})`,
          () => `(${a('float')} ${pick(['//', '%'])} ${a('float')})`,
        ])()
      case 'str':
        return pick([
          () => `(${a('str')} + ${a('str')})`,
          () => `(${a('str')} * ${pick(['0', '2', '-1', 'n'])})`,
          () => `${a('str')}.${pick(['upper', 'lower', 'strip', 'title', 'capitalize', 'swapcase', 'casefold'])}()`,
          () => `${a('str')}[${pick(['0', '-1', '1:', ':2', '::-1', '::2', '-3:-1', '5', '1:100'])}]`,
          () => `${a('str')}.replace(${a('str')}, "_")`,
          () => `",".join(${a('list')})`,
          () => `str(${a()})`,
          () => `repr(${a()})`,
          () => `format(${a('int')}, "${pick(['5', '<6', '^7', '05d', 'x', 'b', ',', '+'])}")`,
          () => `format(${a('float')}, "${pick(['.2f', '.0f', '8.3f', 'e', 'g', '.1%', ','])}")`,
          () => `f"{n}{${pick(['n', 'x', 's', 'xs', 'd'])}!r:>6}{x:.1f}{s=}"`,
          () => `"%s|%r" % (${a()}, ${a()})`,
          () => `"{} {!r:>8}".format(${a('int')}, ${a('str')})`,
          () => `${a('str')}.center(${pick(['3', '8'])}, "*")`,
        ])()
      case 'list':
        return pick([
          () => `(${a('list')} + ${a('list')})`,
          () => `${a('list')}[${pick(['1:', ':-1', '::-1', '::2', '-2:', ':1', '3:1'])}]`,
          () => `[${a()}, *${a('list')}]`,
          () => `list(${a(pick(['str', 'tuple', 'dict']))})`,
          () => `[v for v in ${a('list')} if v]`,
          () => `[(i, v) for i, v in enumerate(${a('str')})]`,
          () => `list(map(str, ${a('list')}))`,
          () => `list(zip(${a('list')}, ${a('str')}))`,
          () => `sorted(${a('list')}, key=str)`,
          () => `list(reversed(${a('list')}))`,
          () => `${a('str')}.split(${pick(['', '"a"', '" "', '",", 1'])})`,
          () => `list(${a('dict')}.items())`,
          () => `list(filter(None, ${a('list')}))`,
          () => `(${a('list')} * 2)`,
        ])()
      case 'tuple':
        return pick([
          () => `(${a()}, ${a()})`,
          () => `tuple(${a('list')})`,
          () => `(${a('tuple')} + ${a('tuple')})`,
          () => `divmod(${a('int')}, ${a('int')})`,
          () => `${a('str')}.partition(${a('str')})`,
        ])()
      case 'dict':
        return pick([
          () => `{${a('str')}: ${a()}, **${a('dict')}}`,
          () => `dict(${a('dict')})`,
          () => `{k: ${a()} for k in ${a('str')}}`,
          () => `dict(enumerate(${a('list')}))`,
          () => `(${a('dict')} | ${a('dict')})`,
        ])()
      case 'bool':
        return pick([
          () => `(${a('int')} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${a(pick(['int', 'float', 'bool']))})`,
          () => `(${a()} == ${a()})`,
          () => `(${a()} ${pick(['in', 'not in'])} ${a(pick(['list', 'str', 'dict', 'tuple']))})`,
          () => `(${a()} ${pick(['and', 'or'])} ${a()})`,
          () => `(not ${a()})`,
          () => `bool(${a()})`,
          () => `(${a('int')} < ${a('int')} <= ${a('float')})`,
          () => `any(${a('list')})`,
          () => `all(${a('list')})`,
          () => `(${a('list')} < ${a('list')})`,
          () => `isinstance(${a()}, (int, str))`,
          () => `${a('str')}.startswith(${a('str')})`,
        ])()
      default:
        return 'None'
    }
  }
  const lines = [
    `n, x, s = ${pick(['0', '3', '-4'])}, ${pick(['0.5', '-1.0', '3.0'])}, ${pick(['"abc"', '""', '"zZ9"'])}`,
  ]
  lines.push(`xs, d = ${pick(['[]', '[3, 1, 2]', '["q", 2]'])}, ${pick(['{}', '{"a": 1, "b": [2]}'])}`)
  for (let i = 0; i < 12; i++) {
    lines.push('try:')
    lines.push(`    print(${i}, ${value(3)})`)
    lines.push('except Exception as e:')
    lines.push(`    print(${i}, type(e).__name__, e)`)
  }
  return `${lines.join('\n')}\n`
}
