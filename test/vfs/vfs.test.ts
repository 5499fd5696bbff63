import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { openVfs } from '../../dist/vfs/index.js'
import { normalPath, safeFileName } from '../../dist/vfs/paths.js'

const text = (path: string) => ({ path, make: () => `text of ${path}` })

describe('a path', () => {
  it.each([
    ['servers/a.pyi', 'servers/a.pyi'],
    ['/servers//a.pyi', 'servers/a.pyi'],
    ['./servers/./a.pyi', 'servers/a.pyi'],
    ['servers\\a.pyi', 'servers/a.pyi'],
    ['  guide.md ', 'guide.md'],
    ['servers/x/../a.pyi', 'servers/a.pyi'],
    ['../etc/passwd', undefined],
    ['servers/../../x', undefined],
    ['a\0b', undefined],
    ['', undefined],
    ['/', undefined],
    ['.', undefined],
  ])('%j is %j', (raw, path) => {
    expect(normalPath(raw)).toBe(path)
  })
})

describe('generated files', () => {
  it('are made once, at the first read', () => {
    const vfs = openVfs()
    const made: string[] = []
    const file = (path: string) => ({
      path,
      make: () => {
        made.push(path)
        return `é of ${path}`
      },
    })
    vfs.mount('g', [file('servers/a.pyi'), file('servers/b.pyi')])
    expect(vfs.list()).toEqual(['servers/a.pyi', 'servers/b.pyi'])
    expect(made).toEqual([])
    expect(vfs.read('servers/a.pyi')).toBe('é of servers/a.pyi')
    expect(vfs.read('servers/a.pyi')).toBe('é of servers/a.pyi')
    expect(Buffer.from(vfs.readBytes('servers/a.pyi')).toString()).toBe('é of servers/a.pyi')
    expect(made).toEqual(['servers/a.pyi'])
    vfs.refresh('g')
    expect(vfs.read('servers/a.pyi')).toBe('é of servers/a.pyi')
    expect(made).toEqual(['servers/a.pyi', 'servers/a.pyi'])
  })

  it('of a group replace its earlier ones, and leave other groups alone', () => {
    const vfs = openVfs()
    vfs.mount('a', [text('servers/a.pyi'), text('servers/a/x.pyi')])
    vfs.mount('b', [text('servers/b.pyi')])
    vfs.read('servers/b.pyi')
    vfs.mount('a', [text('servers/a/y.pyi')])
    expect(vfs.list('servers')).toEqual(['servers/a/y.pyi', 'servers/b.pyi'])
    expect(vfs.find('servers/a.pyi')).toEqual({ path: undefined, near: [], ambiguous: false })
    vfs.unmount('a')
    expect(vfs.list()).toEqual(['servers/b.pyi'])
  })
})

describe('finding', () => {
  const vfs = openVfs()
  vfs.mount('a', [
    { ...text('servers/my_server.pyi'), aliases: ['servers/my-server.pyi'] },
    {
      ...text('servers/my_server/get_it.pyi'),
      aliases: ['servers/my-server/get.it.pyi', 'servers/my_server/get.it.pyi'],
    },
    text('servers/my_server/Put.pyi'),
    text('servers/my_server/put.pyi'),
    text('guide.md'),
  ])
  vfs.keep('run-1.json', '{}')

  it('distinguishes a server’s stubs for Python and TypeScript by their extensions', () => {
    const both = openVfs()
    both.mount('a', [text('servers/a.pyi'), { ...text('servers/a.d.ts'), aside: true }])
    expect(['a.d.ts', 'A.D.TS', 'a.pyi', 'a', 'servers/a'].map((raw) => both.find(raw).path)).toEqual([
      'servers/a.d.ts',
      'servers/a.d.ts',
      'servers/a.pyi',
      'servers/a.pyi',
      'servers/a.pyi',
    ])
  })

  it.each([
    ['servers/my_server.pyi', 'servers/my_server.pyi'],
    ['my_server.pyi', 'servers/my_server.pyi'],
    ['my_server', 'servers/my_server.pyi'],
    ['my-server', 'servers/my_server.pyi'],
    ['MY-Server', 'servers/my_server.pyi'],
    ['/servers/My_Server.PYI', 'servers/my_server.pyi'],
    ['my_server/get_it', 'servers/my_server/get_it.pyi'],
    ['my-server/get.it', 'servers/my_server/get_it.pyi'],
    ['servers/my_server/GET_IT.pyi', 'servers/my_server/get_it.pyi'],
    ['my_server/put', 'servers/my_server/put.pyi'],
    ['my_server/Put', 'servers/my_server/Put.pyi'],
    ['guide', 'guide.md'],
    ['GUIDE.MD', 'guide.md'],
    ['results/run-1', 'results/run-1.json'],
    ['results/run-1.json', 'results/run-1.json'],
  ])('%s finds %s', (raw, path) => {
    expect(vfs.find(raw)).toEqual({ path })
  })

  it.each([
    ['my_server/PUT', true, ['servers/my_server/Put.pyi', 'servers/my_server/put.pyi']],
    ['my_srver', false, ['servers/my_server.pyi']],
    ['other/get_it', false, ['servers/my_server/get_it.pyi']],
    ['servers/my_server/get_i.pyi', false, ['servers/my_server/get_it.pyi']],
    ['zzz', false, []],
    ['../guide.md', false, []],
    ['my_server/../../../guide', false, []],
  ])('%s finds nothing (ambiguous: %s), but %j', (raw, ambiguous, near) => {
    expect(vfs.find(raw)).toEqual({ path: undefined, near, ambiguous })
  })
})

describe('results', () => {
  it('are kept under safe names of their own', () => {
    const vfs = openVfs()
    expect(vfs.keep('run-1.json', 'a')).toBe('results/run-1.json')
    expect(vfs.keep('run-1.json', 'b')).toBe('results/run-1-2.json')
    expect(vfs.keep('../../etc/x y.png', new Uint8Array([255, 254]))).toBe('results/_.._etc_x_y.png')
    expect(vfs.read('results/run-1.json')).toBe('a')
    expect(vfs.read('results/run-1-2.json')).toBe('b')
    expect(vfs.read('results/_.._etc_x_y.png')).toBeUndefined()
    expect([...vfs.readBytes('results/_.._etc_x_y.png')]).toEqual([255, 254])
    expect([
      safeFileName(''),
      safeFileName('...'),
      safeFileName('a/b\\c:d'),
      safeFileName('x'.repeat(300)).length,
    ]).toEqual(['file', 'file', 'a_b_c_d', 120])
  })

  it('are evicted oldest first to stay within a quota of files', () => {
    const vfs = openVfs({ results: { maxFiles: 3 } })
    for (const name of ['a', 'b', 'c', 'd', 'e']) vfs.keep(name, name)
    expect(vfs.list('results')).toEqual(['results/c', 'results/d', 'results/e'])
    expect(vfs.find('results/a')).toMatchObject({ path: undefined })
  })

  it('are evicted oldest first to stay within a quota of bytes', () => {
    const vfs = openVfs({ results: { maxBytes: 10 } })
    for (const [name, size] of [
      ['a', 4],
      ['b', 4],
      ['c', 5],
    ] as const)
      vfs.keep(name, 'é'.repeat(size / 2) + 'x'.repeat(size % 2))
    expect(vfs.list('results')).toEqual(['results/b', 'results/c'])
    vfs.keep('d', 'x'.repeat(10))
    expect(vfs.list('results')).toEqual(['results/d'])
    vfs.keep('e', 'y'.repeat(50))
    expect(vfs.list('results')).toEqual(['results/e'])
    expect(vfs.read('results/e')).toBe('y'.repeat(10))
  })

  it('leave nothing behind when they are evicted, and neither do files that are made again', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const vfs = openVfs({ results: { maxBytes: 2_000_000 } })
    vfs.mount('g', [{ path: 'guide.md', make: () => 'x'.repeat(1_000_000) }])
    const held = () => {
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    for (let i = 0; i < 100; i++) {
      vfs.keep('a', Buffer.alloc(1_000_000))
      vfs.refresh('g')
      vfs.read('guide.md')
    }
    // Buffers are released in the background.
    await expect.poll(held).toBeLessThan(before + 20_000_000)
    expect(vfs.list()).toHaveLength(3)
  })

  it('never evict other files', () => {
    const vfs = openVfs({ results: { maxBytes: 5, maxFiles: 1 } })
    vfs.mount('g', [text('guide.md')])
    vfs.read('guide.md')
    vfs.keep('a', 'xxxxx')
    vfs.keep('b', 'yyyyy')
    expect(vfs.list()).toEqual(['guide.md', 'results/b'])
  })
})
