// Files of programs: what tools answer besides text, what programs save, and what a model sees of it.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exactText } from '../../dist/bindings/exact-integers.js'
import { bindServers, Observations } from '../../dist/bindings/index.js'
import { readToolFile, type ToolFiles } from '../../dist/meta-tools/index.js'
import { pixel as png } from '../fixtures/pixel.js'
import { type Bench, bench, type FakeTool, text } from './bench.js'

const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex')

const image = (data: string, mimeType = 'image/png') => ({
  isError: false,
  content: [{ type: 'image', data, mimeType }],
})

const takes = (properties: Record<string, unknown>): FakeTool => ({
  inputSchema: { type: 'object', properties },
  answers: text('taken'),
})

const tools: Record<string, FakeTool> = {
  photo: { answers: image(png.toString('base64')) },
  no_photo: { answers: image(Buffer.from('no picture').toString('base64')) },
  garbage: { answers: image('§§ not base64 §§') },
  upload: takes({ data: { type: 'string' }, name: { type: 'string' } }),
  encoded: takes({ data: { type: 'string', contentEncoding: 'base64' } }),
  show: takes({ url: { type: 'string', format: 'uri' } }),
  many: takes({ all: { type: 'array', items: { type: 'string' } } }),
  embed: takes({
    resource: { type: 'object', properties: { uri: { type: 'string' }, blob: { type: 'string' } } },
    media: {
      type: 'object',
      properties: { type: { type: 'string' }, data: { type: 'string' }, mimeType: { type: 'string' } },
    },
  }),
  anything: takes({ value: {} }),
}

const record = {
  name: 'api.photo-image.png',
  mimeType: 'image/png',
  bytes: 70,
  sha256: sha256(png),
  width: 1,
  height: 1,
  path: 'results/api.photo-image.png',
}

const read = ({ vfs, context }: Bench, fileName: string) =>
  readToolFile({ fileName }, { bindings: context.bindings, vfs } as ToolFiles)

const languages = ['starlark', 'javascript'] as const

describe('a picture in a tool’s answer', () => {
  it.each([
    ['starlark', 'result = api.photo()'],
    ['javascript', 'return api.photo()'],
    ['javascript', 'return await api.photo()'],
  ] as const)('is a small record in %s: %s', async (language, code) => {
    const { result } = await bench(tools, { language }).run(code)
    expect(result).toEqual({ type: 'image', ...record })
  })

  it('is an ordinary dict', async () => {
    const code = `p = api.photo()
print(sorted(p.keys()) == sorted(dict(p).keys()), p["width"], "read" in p, p == dict(p), len(p), type(p) == dict)
print(json.loads(json.dumps(p)) == p, {**p, "x": 1}["x"], p | {"y": 2} == {**p, "y": 2}, isinstance(p, dict))
p["note"] = "mine"
print(p.get("note"), p.pop("note"), [k for k in p][0], bool(p))`
    expect(await bench(tools).printed(code)).toEqual([
      'True 1 False True 8 True',
      'True 1 True True',
      'mine mine type True',
    ])
  })

  it.each([
    ['starlark', 'b = api.photo().read()\nresult = [type(b).__name__, len(b), b[:4].hex()]', ['bytes', 70, '89504e47']],
    ['starlark', 'p = api.photo()\nresult = hashlib.sha256(p.read()).hexdigest() == p["sha256"]', true],
    ['starlark', 'api.photo()\nresult = len(artifacts.read("api.photo-image.png"))', 70],
    ['starlark', 'result = len(artifacts.open("results/api.photo-image.png").read())', 'unknown-artifact'],
    ['javascript', 'const b = api.photo().read(); return [b instanceof Uint8Array, b.length, b[1]]', [true, 70, 80]],
    ['javascript', 'const p = await api.photo(); const b = await p.read(); return [b.length, b[0]]', [70, 137]],
    ['javascript', 'api.photo(); return artifacts.read("api.photo-image.png").length', 70],
    ['javascript', 'return Object.keys(api.photo()).includes("read")', false],
  ] as const)('can be read as bytes: %s %s', async (language, code, want) => {
    const { result, error } = await bench(tools, { language }).run(code)
    expect(error?.code ?? result).toEqual(want)
  })

  it('is shown to a model as a picture', async () => {
    const one = bench(tools)
    await one.run('api.photo()')
    expect(read(one, 'results/api.photo-image.png')).toEqual({
      text: '[results/api.photo-image.png: image/png, 1 × 1 pixels, 70 bytes]',
      isError: false,
      structured: {
        files: [
          {
            path: 'results/api.photo-image.png',
            lines: 0,
            text: '[results/api.photo-image.png: image/png, 1 × 1 pixels, 70 bytes]',
          },
        ],
      },
      files: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }],
    })
  })

  it('that is not a picture is not shown as one', async () => {
    const one = bench(tools)
    const { result } = await one.run('result = api.no_photo()')
    const name = 'api.no_photo-image.png'
    expect(result).toEqual({
      type: 'image',
      name,
      mimeType: 'image/png',
      bytes: 10,
      sha256: sha256('no picture'),
      path: `results/${name}`,
    })
    const { text: said, files } = read(one, `results/${name}`)
    expect({ said, files }).toEqual({
      said: `[results/${name}: image/png, 10 bytes; it is no picture of that type]`,
      files: undefined,
    })
  })

  it('that is not base64 has an error in its record', async () => {
    const one = bench(tools)
    const { result } = await one.run('result = api.garbage()')
    expect(result).toEqual({ type: 'image', mimeType: 'image/png', bytes: 0, error: 'its data is not base64' })
    expect(one.vfs.list('results')).toEqual([])
  })

  it('has the type of its content', async () => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const { run } = bench({ photo: { answers: image(gif.toString('base64')) } })
    expect((await run('result = api.photo()')).result).toMatchObject({ mimeType: 'image/gif', width: 1, height: 1 })
  })
})

describe('an artifact as an argument', () => {
  const base64 = png.toString('base64')
  it.each([
    ['api.upload(data=api.photo())', { data: base64 }],
    ['api.upload(api.photo(), "a.png")', { data: base64, name: 'a.png' }],
    ['api.encoded(data=artifacts.save("a.txt", "grün"))', { data: Buffer.from('grün').toString('base64') }],
    ['api.upload(data=artifacts.save("a.txt", "grün"))', { data: 'grün' }],
    ['api.show(url=api.photo())', { url: `data:image/png;base64,${base64}` }],
    ['api.many(all=[api.photo(), "x"])', { all: [base64, 'x'] }],
    [
      'api.embed(resource=api.photo())',
      {
        resource: { uri: 'starbind://results/api.photo-image.png', mimeType: 'image/png', blob: base64 },
      },
    ],
    ['api.embed(media=api.photo())', { media: { type: 'image', data: base64, mimeType: 'image/png' } }],
    ['api.anything(value=api.photo())', { value: { type: 'image', ...record } }],
    ['runtime.call("api", "upload", {"data": api.photo()})', { data: base64 }],
    ['p = api.photo()\nfor i in range(2):\n    p = api.photo()\napi.upload(data=p)', { data: base64 }],
  ])('is replaced by its content, in the form that the tool takes: %s', async (code, args) => {
    const one = bench(tools)
    const { error } = await one.run(code)
    expect(error).toBeNull()
    expect(one.sent.at(-1)?.args).toEqual(args)
  })

  it('is replaced by its content in a call that another thread reads', async () => {
    let sent = ''
    const upload = { ...tools.upload!, answers: (args: unknown) => text((sent = exactText(JSON.stringify(args)))) }
    const { error } = await bench({ ...tools, upload }).run('api.upload(data=api.photo(), name="x" * 40000)')
    expect(error).toBeNull()
    expect(JSON.parse(sent)).toEqual({ data: base64, name: 'x'.repeat(40_000) })
  })

  it('is replaced by its content in JavaScript', async () => {
    const one = bench(tools, { language: 'javascript' })
    expect((await one.run('await api.upload({ data: await api.photo() })')).error).toBeNull()
    expect(one.sent.at(-1)?.args).toEqual({ data: base64 })
  })

  it('is still accepted after earlier answers were observed', async () => {
    const one = bench(tools)
    for (let i = 0; i < 3; i++) expect((await one.run('p = api.photo()\napi.upload(data=p)')).error).toBeNull()
  })

  it.each([
    [
      'a = artifacts.save("a", "1")\nartifacts.save("a", "2")\napi.upload(data=a)',
      'TypeError: api.upload: results/a has other content by now',
    ],
    [
      'a = artifacts.save("a", "1")\na["path"] = "results/b"\napi.upload(data=a)',
      'TypeError: api.upload: results/b is not kept any more',
    ],
    ['a = artifacts.save("a", "1")\nartifacts.save("a", "2")\na.read()', 'TypeError: a has other content by now'],
    ['api.upload(data={"path": "results/a"})', 'api.upload: data: got dict of 1, want str'],
  ])('must match its record: %s', async (code, message) => {
    const one = bench(tools)
    expect((await one.run(code)).error?.message).toBe(message)
    expect(one.sent).toEqual([])
  })

  it('counts with its bytes, each time that it is named', async () => {
    const code = 'a = artifacts.save("a.bin", b"x" * 3000)\napi.many(all=[a, a, a])'
    const { error } = await bench(tools, { limits: { argumentBytes: 10_000 } }).run(code)
    expect(error?.message).toMatch(/^the arguments of a call have 12\d\d\d bytes; the limit is 10000$/)
  })
})

describe('artifacts.save', () => {
  it.each([
    ['starlark', 'result = artifacts.save("report.csv", "a,b\\n1,2\\n")'],
    ['javascript', 'return artifacts.save("report.csv", "a,b\\n1,2\\n")'],
    ['javascript', 'return await artifacts.save("report.csv", new TextEncoder().encode("a,b\\n1,2\\n"))'],
    ['starlark', 'result = artifacts.save("report.csv", b"a,b\\n1,2\\n", mime_type="text/csv")'],
  ] as const)('keeps a file in %s: %s', async (language, code) => {
    const one = bench(tools, { language })
    const content = 'a,b\n1,2\n'
    expect((await one.run(code)).result).toEqual({
      name: 'report.csv',
      mimeType: 'text/csv',
      bytes: 8,
      sha256: sha256(content),
      path: 'results/report.csv',
    })
    expect(one.vfs.read('results/report.csv')).toBe(content)
    const later = await one.run(
      language === 'starlark'
        ? 'result = [artifacts.open("report.csv").read().decode(), artifacts.list()[0]["name"]]'
        : 'return [new TextDecoder().decode(artifacts.open("report.csv").read()), artifacts.list()[0].name]',
    )
    expect(later.result).toEqual([content, 'report.csv'])
  })

  it('keeps every byte', async () => {
    const one = bench(tools)
    await one.run('artifacts.save("all.bin", bytes(range(256)))')
    expect([...one.vfs.readBytes('results/all.bin')]).toEqual([...Array(256).keys()])
    const { result } = await one.run('result = artifacts.open("all.bin").read() == bytes(range(256))')
    expect(result).toBe(true)
  })

  it.each(['../../etc/passwd', '/etc/passwd', 'a/b', 'C:\\x', '.hidden', 'results/../x'])(
    'treats no name as a path: %s',
    async (name) => {
      const one = bench(tools)
      await one.run(`artifacts.save(${JSON.stringify(name)}, "x")`)
      expect(one.vfs.list()).toEqual([expect.stringMatching(/^results\/[\w-][\w.-]*$/)])
    },
  )

  it.each([
    ['artifacts.save("run-1.json", "{}")', `TypeError: artifacts.save: "run-1.json" is the name of a run's result`],
    ['artifacts.save("", "x")', 'TypeError: artifacts: name must be a file name of at most 120 characters'],
    ['artifacts.save("x", 1)', 'TypeError: artifacts.save: content must be str or bytes, not int'],
    ['artifacts.save("x", "y", mime_type="z")', 'TypeError: artifacts: mime_type must be a type such as "text/csv"'],
    ['artifacts.open("nothing")', 'TypeError: no file "nothing" is kept'],
    ['artifacts.open(1)', 'TypeError: artifacts: name must be a name from artifacts.list()'],
    ['artifacts.save("report.csv", "x")\nartifacts.open("report.cvs")', 'TypeError: no file "report.cvs" is kept'],
  ])('reports a mistake: %s', async (code, message) => {
    expect((await bench(tools).run(code)).error?.message).toBe(message)
  })

  it('respects the limits, as reading does', async () => {
    const { run } = bench(tools, { limits: { responseBytes: 1_000 } })
    const { error } = await run('artifacts.save("a", "x" * 2000).read()')
    expect(error).toMatchObject({ code: 'artifact-bytes', message: 'a has 2000 bytes; the limit is 1000' })
  })
})

describe.each(languages)('a file that is no picture, in %s', (language) => {
  it('is a resource for a model', async () => {
    const pdf = Buffer.from('%PDF-1.4')
    const one = bench(
      {
        report: {
          answers: {
            isError: false,
            content: [
              { type: 'resource', resource: { uri: 'a:b', mimeType: 'application/pdf', blob: pdf.toString('base64') } },
              { type: 'audio', data: Buffer.from('do re').toString('base64'), mimeType: 'audio/wav' },
            ],
          },
        },
      },
      { language },
    )
    await one.run('api.report()')
    expect(read(one, 'results/api.report-resource.pdf').files).toEqual([
      {
        type: 'resource',
        resource: {
          uri: 'starbind://results/api.report-resource.pdf',
          mimeType: 'application/pdf',
          blob: pdf.toString('base64'),
        },
      },
    ])
    expect(read(one, 'results/api.report-audio.wav').files).toMatchObject([
      { type: 'resource', resource: { mimeType: 'audio/wav' } },
    ])
  })
})

it('a server named artifacts gets another name', () => {
  const { servers } = bindServers([{ name: 'artifacts', tools: [] }], { observations: new Observations() })
  expect(servers.map(({ name }) => name)).toEqual(['artifacts_'])
})
