import { describe, expect, it } from 'vitest'
import { identifierFor, isIdentifier, nameScope } from '../../dist/bindings/identifiers.js'
import { bindServers, serverStub } from '../../dist/bindings/index.js'
import { readStub } from './stub-reader.js'

const object = { type: 'object' }

describe('an identifier', () => {
  it.each([
    ['list_issues', 'list_issues'],
    ['createIssue', 'createIssue'],
    ['__proto__', '__proto__'],
    ['list-issues', 'list_issues'],
    ['a.b c/d', 'a_b_c_d'],
    ['3d-model', '_3d_model'],
    ['from', 'from_'],
    ['class', 'class_'],
    ['None', 'None_'],
    ['load', 'load_'],
    ['größe', 'größe'],
    ['größe-neu', 'größe_neu'],
    ['ﬁle', 'file'],
    ['日本', '日本'],
    ['🚀', '_'],
    ['', '_'],
    ['a\nb', 'a_b'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(300), 'x'.repeat(128)],
  ])('for %j is %s', (text, name) => {
    expect(identifierFor(text)).toBe(name)
    expect(isIdentifier(name)).toBe(true)
  })
})

describe('names in one scope', () => {
  it('are distinct: valid ones first, the others in code unit order', () => {
    const names = ['a-b', 'a.b', 'a_b', 'a b', 'from', 'from_', 'a_b_2']
    expect(Object.fromEntries(nameScope(names))).toEqual({
      a_b: 'a_b',
      a_b_2: 'a_b_2',
      from_: 'from_',
      'a b': 'a_b_3',
      'a-b': 'a_b_4',
      'a.b': 'a_b_5',
      from: 'from__2',
    })
  })

  it('do not depend on the order of the tools', () => {
    const names = ['x-y', 'x.y', 'x y', 'x_y', 'in', 'in_', '1', '_1']
    const usual = [...nameScope(names)].sort()
    expect([...nameScope([...names].reverse())].sort()).toEqual(usual)
    expect([...nameScope([...names.slice(4), ...names.slice(0, 4)])].sort()).toEqual(usual)
  })

  it('that differ only after the longest prefix are distinct', () => {
    const [a, b] = ['a', 'b'].map((end) => `${'x'.repeat(150)}${end}`) as [string, string]
    const names = nameScope([a, b])
    expect(names.get(a)).toBe('x'.repeat(128))
    expect(names.get(b)).toBe(`${'x'.repeat(122)}_2`)
  })
})

describe('bound servers', () => {
  const tool = (name: string, inputSchema: object = object) => ({ name, inputSchema: inputSchema as { type: string } })
  const bindings = bindServers([
    { name: 'my-server', tools: [tool('get.it'), tool('get-it'), tool('get_it'), tool('import')] },
    { name: 'print', tools: [tool('a')] },
    { name: 'json', tools: [tool('a')] },
    { name: 'function', tools: [tool('delete')] },
    { name: '2nd', tools: [tool('constructor'), tool('__proto__')] },
  ])

  it('do not hide builtins, modules or words of the second language', () => {
    expect(bindings.servers.map((server) => server.name)).toEqual(['_2nd', 'function_', 'json_', 'my_server', 'print_'])
    expect(bindings.foreign.map(({ name, members }) => [name, members.map((member) => member.name)])).toEqual([
      ['_2nd', ['__proto__', 'constructor']],
      ['function_', ['delete']],
      ['json_', ['a']],
      ['my_server', ['get_it', 'get_it_2', 'get_it_3', 'import_']],
      ['print_', ['a']],
    ])
  })

  it('are found by either name, without regard to case if that is unambiguous', () => {
    const server = (name: string) => bindings.findServer(name)
    expect(server('my_server').found?.source.name).toBe('my-server')
    expect(server('my-server').found?.source.name).toBe('my-server')
    expect(server('My-Server').found?.source.name).toBe('my-server')
    expect(server('json').found?.name).toBe('json_')
    expect(server('my_servr')).toEqual({ found: undefined, near: ['my_server'], ambiguous: false })
    const mine = server('my_server').found!
    const tool = (name: string) => bindings.findTool(mine, name)
    expect(tool('get-it').found?.name).toBe('get_it_2')
    expect(tool('get.it').found?.name).toBe('get_it_3')
    expect(tool('get_it').found?.tool.name).toBe('get_it')
    expect(tool('IMPORT').found?.name).toBe('import_')
    expect(tool('Get.It')).toEqual({ found: undefined, near: ['get_it', 'get_it_2', 'get_it_3'], ambiguous: true })
  })

  it('state the original name in the stub', () => {
    const server = bindings.findServer('my-server').found!
    expect(serverStub(server, { descriptionLength: 100 })).toBe(
      [
        '# my_server: 4 tools, called as my_server.name(...)',
        'from typing import Any',
        '# the server "my-server"',
        '',
        'def get_it(**extra: Any) -> Any: ...',
        'def get_it_2(**extra: Any) -> Any: ...  # get_it_2 is "get-it"',
        'def get_it_3(**extra: Any) -> Any: ...  # get_it_3 is "get.it"',
        'def import_(**extra: Any) -> Any: ...  # import_ is "import"',
        '',
      ].join('\n'),
    )
  })

  it('keep their names when some tools are filtered away', () => {
    const narrow = bindings.narrow((server, one) => server.name === 'my-server' && one.name !== 'get_it')
    expect(narrow.foreign.map(({ name, members }) => [name, members.map((member) => member.name)])).toEqual([
      ['my_server', ['get_it_2', 'get_it_3', 'import_']],
    ])
  })

  it('rename parameters that are keywords, invalid or collide', () => {
    const properties = { from: {}, 'a-b': {}, a_b: {}, in: {}, class: {}, '9': {} }
    const { servers } = bindServers([
      { name: 's', tools: [tool('t', { type: 'object', properties, required: ['in', 'a-b'] })] },
    ])
    const stub = serverStub(servers[0]!, { descriptionLength: 100 })
    expect(stub.split('\n').at(-2)).toBe(
      'def t(a_b_2: Any, in_: Any, _9: Any = ..., from_: Any = ..., a_b: Any = ..., class_: Any = ...) -> Any: ...' +
        '  # a_b_2 is "a-b"; in_ is "in"; from_ is "from"; class_ is "class"',
    )
    expect([...readStub(stub).functions.keys()]).toEqual(['t'])
  })
})
