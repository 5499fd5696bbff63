// Typical mistakes of programs: the whole message of each (UPDATE_GOLDENS=1 writes the golden file anew), and that
// each of them fails when it runs.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { compile } from '../../../dist/interpreter/stages.js'
import { openSandbox } from '../../../dist/sandbox/index.js'
import { foreign, isRefusedByCheck, refusals, runUnchecked } from './run-program.js'

const golden = path.join(import.meta.dirname, 'golden/mistakes.txt')

const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

const ISSUE = 'issue = github.get_issue(number=1)\n'

/** A program and the messages about it. */
const mistakes: readonly (readonly [string, readonly string[]])[] = [
  ['github.search()', ['missing-argument: github.search needs query']],
  ['github.search(qery="x")', ['unknown-parameter: github.search has no parameter qery']],
  ['github.search("x", {}, 3)', ['too-many-arguments: github.search takes at most 2 arguments, got 3']],
  ['github.search("x", query="y")', ['argument-twice: github.search gets two values for query']],
  ['github.search(5)', ['wrong-argument: github.search: query: got int 5, want str']],
  ['github.get_issue("5")', ['wrong-argument: github.get_issue: number: got str "5", want int']],
  ['github.get_issue(number=None)', ['wrong-argument: github.get_issue: number: got None, want int']],
  ['github.get_issue({"number": "5"})', ['wrong-argument: github.get_issue: number: got str "5", want int']],
  ['github.get_issue({"nmber": 5})', ['unknown-parameter: github.get_issue has no parameter nmber']],
  [
    'github.list_issues("a", "b", state="opne")',
    ['wrong-argument: github.list_issues: state: got str "opne", want Literal["open", "closed"]'],
  ],
  [
    'github.list_issues("a", "b", limit=1000)',
    ['wrong-argument: github.list_issues: limit: got int 1000, want at most 100'],
  ],
  [
    'github.list_issues("a", "b", labels="bug")',
    ['wrong-argument: github.list_issues: labels: got str "bug", want list[str]'],
  ],
  [
    'github.list_issues("a", "b", labels=[1, 2])',
    ['wrong-argument: github.list_issues: labels[0]: got int 1, want str'],
  ],
  ['github.list_issues(owner="a")', ['missing-argument: github.list_issues needs repo']],
  ['github.list_issues()', ['missing-argument: github.list_issues needs owner and repo']],
  ['n = "5"\ngithub.get_issue(number=n)', ['wrong-argument: github.get_issue: number: got "5", want int']],
  ['n = str(5)\ngithub.get_issue(n)', ['wrong-argument: github.get_issue: number: got str, want int']],
  ['for n in ["1", "2"]:\n    github.get_issue(n)', ['wrong-argument: github.get_issue: number: got str, want int']],
  ['g = github\ng.get_issue()', ['missing-argument: github.get_issue needs number']],
  ['f = github.get_issue\nf("x")', ['wrong-argument: github.get_issue: number: got str "x", want int']],
  ['def f(x):\n    return github.get_issue()\nif f:\n    f(1)', ['missing-argument: github.get_issue needs number']],
  ['issue = github.get_issue(number=1)\nprint(issue["titel"])', ['no-field: issue has no field titel']],
  ['issue = github.get_issue(number=1)\nprint(issue.title)', ['no-attribute: dict has no attribute title']],
  ['issue = github.get_issue(number=1)\nprint(issue["title"] + 1)', ['bad-operands: str + int is not possible']],
  [
    'issue = github.get_issue(number=1)\nprint(issue["tags"].length)',
    ['no-attribute: list of str has no attribute length'],
  ],
  [
    'issue = github.get_issue(number=1)\ngithub.get_issue(number=issue["title"])',
    ['wrong-argument: github.get_issue: number: got str, want int'],
  ],
  ['for i in github.list_issues:\n    pass', ["not-iterable: function can't be iterated over"]],
  ['github()', ["not-callable: server can't be called"]],
  ['github.search["x"]', ["not-subscriptable: function can't be indexed"]],
  ['print("a" + 1)', ['bad-operands: str + int is not possible']],
  ['print(1 + "a")', ['bad-operands: int + str is not possible']],
  ['print(None + 1)', ['bad-operands: None + int is not possible']],
  ['print([1] + (2,))', ['bad-operands: list of int + tuple is not possible']],
  ['print({"a": 1} + {"b": 2})', ['bad-operands: dict + dict is not possible']],
  ['print("abc".push("d"))', ['no-attribute: str has no attribute push']],
  ['print("abc".length)', ['no-attribute: str has no attribute length']],
  ['print([1].push(2))', ['no-attribute: list of int has no attribute push']],
  ['print([1, 2].length)', ['no-attribute: list of int has no attribute length']],
  ['x = {"a": 1}\nprint(x.a)', ['no-attribute: dict has no attribute a']],
  ['print("abc".toUpperCase())', ['no-attribute: str has no attribute toUpperCase']],
  ['print([1, 2].join(","))', ['no-attribute: list of int has no attribute join']],
  ['print(len(3))', ['wrong-argument: len() got int, want a list, dict or str']],
  ['for i in 5:\n    pass', ["not-iterable: int can't be iterated over"]],
  ['print(int(None))', ['wrong-argument: int() got None, want a str or number']],
  ['print(-"a")', ['bad-operands: - str is not possible']],
  ['print(3[0])', ["not-subscriptable: int can't be indexed"]],
  ['print([1]["a"])', ["bad-index: list of int can't be indexed with str"]],
  ['print("a" < 1)', ['bad-operands: str < int is not possible']],
  ['print(1 in 5)', ['bad-operands: int in int is not possible']],
  ['"abc"[0] = "x"', ["not-assignable: the elements of str can't be assigned"]],
  ['a, b = (1, 2, 3)', ["wrong-unpacking: a tuple of 3 can't be unpacked into 2 names"]],
  ['x = 5\nx()', ["not-callable: int can't be called"]],
  ['def f(a, b):\n    return a\nf(1)', ['missing-argument: f() needs b']],
  ['def f(a):\n    return a\nf(1, 2)', ['too-many-arguments: f() takes at most 1 argument, got 2']],
  ['def f(a, limit=1):\n    return a\nf(1, limt=2)', ['unknown-parameter: f() has no parameter limt']],
  ['print(sorted([1], cmp=len))', ['unknown-parameter: sorted() has no parameter cmp']],
  ['print("a".upper(1))', ['too-many-arguments: str.upper() takes at most 0 arguments, got 1']],
  [
    'def total(xs):\n    return xs + "a" + 1 + None\nprint(sum(5))',
    ['wrong-argument: sum() got int, want something to iterate over'],
  ],
  ['def f():\n    return "a" + 1\nprint(f())', ['bad-operands: str + int is not possible']],
  ['x = "a"\nx -= 1', ['bad-operands: str -= int is not possible']],
  [
    'print(1)\ngithub.search(1)\nprint(len(5))',
    [
      'wrong-argument: github.search: query: got int 1, want str',
      'wrong-argument: len() got int, want a list, dict or str',
    ],
  ],
  ['match github.get_issue():\n    case _:\n        pass', ['missing-argument: github.get_issue needs number']],
  ['match 1:\n    case 1:\n        github.get_issue()', ['missing-argument: github.get_issue needs number']],
  [
    'match 1:\n    case n if github.get_issue("x"):\n        pass',
    ['wrong-argument: github.get_issue: number: got str "x", want int'],
  ],
  [`${ISSUE}match issue["titel"]:\n    case _:\n        pass`, ['no-field: issue has no field titel']],
]

describe('a mistake is reported before anything runs', () => {
  it.each(mistakes)('%j', async (code, said) => {
    expect(refusals(code)).toEqual(said)
    expect((await runUnchecked(sandbox, code)).ok).toBe(false)
  })

  it('and the table has at least forty', () => expect(mistakes.length).toBeGreaterThanOrEqual(40))

  it('with its place and the solution, as in the reviewed golden file', () => {
    const said = mistakes.map(([code]) => {
      const compiled = compile({ text: code, language: 'starlark' }, { foreign })
      const shown = compiled.ok ? 'nothing' : renderDiagnostics(compiled.diagnostics, code)
      return `${code.replace(/^/gm, '> ')}\n${shown}`
    })
    const text = `${said.join('\n\n')}\n`
    if (process.env.UPDATE_GOLDENS === '1') writeFileSync(golden, text)
    expect(text).toBe(readFileSync(golden, 'utf8'))
  })

  it('together with all others', () => {
    const code = 'for n in [1, 2]:\n    issue = github.get_issue(nmber=n)\n    print(issue.title)\n'
    const compiled = compile({ text: code, language: 'starlark' }, { foreign })
    expect(compiled.ok ? '' : renderDiagnostics(compiled.diagnostics, code)).toBe(
      'program error [unknown-parameter] github.get_issue has no parameter nmber\n' +
        '  program:2:30\n' +
        '  2 |     issue = github.get_issue(nmber=n)\n' +
        '    |                              ^^^^^\n' +
        'hint: did you mean number?\n' +
        '\n' +
        'program error [no-attribute] dict has no attribute title\n' +
        '  program:3:17\n' +
        '  3 |     print(issue.title)\n' +
        '    |                 ^^^^^\n' +
        'hint: write issue["title"]',
    )
  })
})

describe('a warning is given, and the program is accepted,', () => {
  const warningsOf = (code: string) => {
    const compiled = compile({ text: code, language: 'starlark' }, { foreign })
    return compiled.ok ? renderDiagnostics(compiled.warnings, code) : compiled.diagnostics
  }

  it('for unreachable code', () => {
    const code =
      'def f(x):\n    for i in x:\n        continue\n        print(i)\n    return 1\n    print("late")\n    print("later")\nf([])'
    expect(warningsOf(code)).toBe(
      'program error [unreachable-code] this is never reached: line 3 always leaves\n' +
        '  program:4:9\n' +
        '  4 |         print(i)\n' +
        '    |         ^^^^^^^^\n' +
        '\n' +
        'program error [unreachable-code] this is never reached: line 5 always leaves\n' +
        '  program:6:5\n' +
        '  6 |     print("late")\n' +
        '    |     ^^^^^^^^^^^^^',
    )
  })

  it('for mistakes in places that the program may not reach', () => {
    expect(warningsOf('def f():\n    return "a" - 1')).toBe(
      'program error [bad-operands] str - int is not possible\n' +
        '  program:2:12\n' +
        '  2 |     return "a" - 1\n' +
        '    |            ^^^^^^^',
    )
  })

  it.each([
    'def g():\n    return\n    yield',
    'def f(x):\n    if x:\n        return 1\n    print(2)',
    'try:\n    raise ValueError("x")\nexcept ValueError:\n    pass\nprint(1)',
    'for i in [1]:\n    if i:\n        break\n    print(i)\nelse:\n    print("all")',
    'while True:\n    break\nprint("after")',
  ])('and not for %j', (code) => expect(warningsOf(code)).toBe(''))
})

const silent: readonly string[] = [
  'try:\n    github.search()\nexcept TypeError:\n    pass',
  'def f():\n    return github.search()\ntry:\n    f()\nexcept Exception as e:\n    print(e)',
  'x = 5\nif isinstance(x, str):\n    x = x.upper()',
  'for x in []:\n    x = "a" + 1',
  'def f():\n    return "a" + 1',
  'opts = {"query": "x"}\ngithub.search(opts)\ngithub.search(**opts)',
  'args = ["x"]\ngithub.search(*args)',
  'if False:\n    print(len(3))',
  'exit()\nprint(len(3))',
  'x = [1]\nx.append("a")\nprint(x[1] + "b")',
  `${ISSUE}print(issue.get("nothing"))`,
  `${ISSUE}issue["more"] = 1\nprint(issue["more"])`,
  'class A:\n    def __add__(self, other):\n        return 1\nprint(A() + "a")',
  'def g():\n    yield "a" + 1\ng()',
  `${ISSUE}match issue:\n    case {"titel": t}:\n        print(issue["titel"])`,
  'x = 5\nmatch x:\n    case str():\n        x.upper()',
  'x = "a"\nmatch [1]:\n    case [x]:\n        print(x + 1)',
  'x = "a"\nmatch 1:\n    case x if not x:\n        pass\nprint(x + 1)',
  'match 5:\n    case 6:\n        print("a" + 1)',
]

describe('no mistake is reported in', () => {
  it.each(silent)('%j', (code) => expect(isRefusedByCheck(code)).toBe(false))
})

describe('the reach of a program', () => {
  const reachOf = (code: string) => {
    const compiled = compile({ text: code, language: 'starlark' }, { foreign })
    return compiled.ok ? compiled.program.reach : compiled.diagnostics
  }
  const search = { namespace: 'github', member: 'search' }
  const get = { namespace: 'github', member: 'get_issue' }
  it.each([
    ['print(1)', { tools: [], widened: [] }],
    ['github.search("x")', { tools: [search], widened: [] }],
    ['g = github\nh = g\nh.search("x")', { tools: [search], widened: [] }],
    ['import github as gh\ndef f():\n    return gh.get_issue(1)', { tools: [get], widened: [] }],
    ['from github import search as s\ns("x")', { tools: [search], widened: [] }],
    ['tools = [github.search, github.get_issue]\ntools[0]("x")', { tools: [search, get], widened: [] }],
    ['getattr(github, "search")("x")', { tools: [search], widened: [] }],
    ['name = "search"\ngetattr(github, name)("x")', { tools: [], widened: ['github'] }],
    ['def f(server):\n    return server.search("x")\nf(github)', { tools: [], widened: ['github'] }],
    ['all = {"g": github}\nall["g"].search("x")', { tools: [], widened: ['github'] }],
    ['g = github\ng = 1\n', { tools: [], widened: ['github'] }],
    ['print(hasattr(github, "search"))', { tools: [], widened: [] }],
    ['match github:\n    case g:\n        g.search("x")', { tools: [], widened: ['github'] }],
    ['match 1:\n    case 1 if github.search("x"):\n        github.get_issue(1)', { tools: [search, get], widened: [] }],
    ['match 1:\n    case github.search:\n        pass', { tools: [search], widened: [] }],
  ])('%j', (code, reach) => expect(reachOf(code)).toEqual(reach))
})
