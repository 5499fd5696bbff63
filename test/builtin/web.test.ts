// The server `web`, from programs: pages in every form, and no way to a host or an address that is not listed.

import dns from 'node:dns'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isHostPattern, openBuiltin } from '../../dist/builtin/index.js'
import { Hosts } from '../../dist/builtin/web/hosts.js'
import { CodeMode } from '../../dist/index.js'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PAGE = `<html><head><title>Prices</title><script>steal()</script></head><body><h1>Prices &amp; more</h1>
<p>See <a href="next.html">the <b>next</b> page</a>.</p><ul><li>one<li>two</ul>
<table><tr><th>sku<th>price</tr><tr><td>AB-1<td>10.50</tr></table></body></html>`

/** Who was asked for what. */
const asked: string[] = []
const pages: Readonly<Record<string, (answer: http.ServerResponse) => unknown>> = {
  '/page.html': (answer) => answer.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE),
  '/latin': (answer) =>
    answer.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from('caf\xe9', 'latin1')),
  '/data': (answer) =>
    answer.setHeader('content-type', 'application/json').end('{"big": 12345678901234567890, "half": 1.0}'),
  '/rows.csv': (answer) => answer.end('a,b\n1,x\n'),
  '/bad.json': (answer) => answer.end('{'),
  '/unknown': (answer) => answer.end('- 1'),
  '/pixel.png': (answer) => answer.setHeader('content-type', 'image/png').end(PIXEL),
  '/packed': (answer) => answer.setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/brotli': (answer) => answer.setHeader('content-encoding', 'br').end(brotliCompressSync('brotli')),
  '/bomb': (answer) => answer.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
  '/broken': (answer) => answer.setHeader('content-encoding', 'gzip').end('no gzip'),
  '/endless': (answer) => {
    const more = () => void (answer.write('x'.repeat(65_536)) ? setImmediate(more) : answer.once('drain', more))
    if (!answer.destroyed) more()
  },
  '/silent': () => {},
  '/cut': (answer) => answer.setHeader('content-length', '100').write('half', () => answer.destroy()),
  '/missing': (answer) => answer.writeHead(404).end('<h1>No such  page</h1>'),
  '/headers': (answer) => answer.setHeader('x-long', 'x'.repeat(40_000)).end(),
  '/deep': (answer) => answer.setHeader('content-type', 'text/html').end('<div>'.repeat(100_000)),
  '/to/page': redirect('/page.html'),
  '/to/loop': redirect('/to/loop'),
  '/to/elsewhere': redirect('http://elsewhere.test/'),
  '/to/metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to/file': redirect('file:///etc/passwd'),
  '/to/port': redirect('http://127.0.0.1:9/'),
}

function redirect(location: string): (answer: http.ServerResponse) => void {
  return (answer) => answer.writeHead(302, { location }).end()
}

const server = http.createServer((request, answer) => {
  asked.push(`${request.headers.host}${request.url}`)
  const page = pages[request.url ?? ''] ?? pages['/missing']!
  page(answer)
})
let port = 0
let codeMode: CodeMode

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  codeMode = await CodeMode.open({
    servers: {
      web: { builtin: 'web', hosts: [`127.0.0.1:${port}`, 'example.com'], maxBytes: 4_000_000 },
      slow: { builtin: 'web', hosts: [`127.0.0.1:${port}`], timeoutMs: 200 },
    },
  })
})
afterAll(async () => {
  await codeMode.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function outcomeOf(program: string): Promise<unknown> {
  const { result, error } = await codeMode.run(program.replaceAll('HERE', `http://127.0.0.1:${port}`))
  return error === null ? result : error.message.replaceAll(String(port), 'PORT')
}

/** The words of the failure of each call. */
function wordsOf(...calls: readonly string[]): Promise<unknown> {
  const tries = calls.map((call) => `try:\n  said.append(${call})\nexcept Exception as e:\n  said.append(str(e))\n`)
  return outcomeOf(`said = []\n${tries.join('')}result = [str(one).replace("${port}", "PORT") for one in said]`)
}

describe('a page', () => {
  it('is text, Markdown, data or an artifact', async () => {
    expect(
      await outcomeOf(`
result = [
  web.fetch("HERE/page.html") == ${JSON.stringify(PAGE)},
  web.fetch("HERE/to/page", markdown=True),
  web.fetch("HERE/latin"), web.fetch("HERE/packed"), web.fetch("HERE/brotli"), web.fetch("HERE/latin", markdown=True),
  repr(web.data("HERE/data")), web.data("HERE/rows.csv"), web.data("HERE/unknown", format="yaml"),
]
pixel = web.artifact("HERE/pixel.png")
result.append([pixel["mimeType"], pixel["path"][:8]])`),
    ).toEqual([
      true,
      `Prices\n\n# Prices & more\n\nSee [the **next** page](http://127.0.0.1:${port}/next.html).\n\n- one\n- two\n\n| sku | price |\n| --- | --- |\n| AB-1 | 10.50 |`,
      'café',
      'packed',
      'brotli',
      'café',
      "{'big': 12345678901234567890, 'half': 1.0}",
      [{ a: '1', b: 'x' }],
      [1],
      ['image/png', 'results/'],
    ])
  })

  it('that can’t be had says why', async () => {
    expect(
      await wordsOf(
        'web.fetch("HERE/missing")',
        'web.fetch("HERE/pixel.png")',
        'web.data("HERE/unknown")',
        'web.data("HERE/bad.json")',
        'web.fetch("HERE/broken")',
        'web.fetch("HERE/bomb")',
        'web.fetch("HERE/endless")',
        'web.fetch("HERE/cut")',
        'web.fetch("HERE/headers")',
        'slow.fetch("HERE/silent")',
        'web.fetch("example.com")',
        'web.fetch("HERE/to/loop")',
        'web.fetch("HERE/to/elsewhere")',
        'web.fetch("HERE/to/metadata")',
        'web.fetch("HERE/to/file")',
        'web.fetch("HERE/to/port")',
      ),
    ).toEqual([
      '"http://127.0.0.1:PORT/missing" answered 404 Not Found; it said "No such page"',
      '"http://127.0.0.1:PORT/pixel.png" is image/png, not text: use web.artifact',
      'the name of "unknown" does not say what it holds: pass format, one of csv, tsv, json, jsonl, yaml, toml',
      expect.stringMatching(/^"bad\.json" is not json: Expected property name/),
      '"http://127.0.0.1:PORT/broken" can\'t be read: incorrect header check',
      '"http://127.0.0.1:PORT/bomb" has more than 1000000 bytes',
      '"http://127.0.0.1:PORT/endless" has more than 1000000 bytes',
      '"http://127.0.0.1:PORT/cut" can\'t be read: it closed the connection',
      '"http://127.0.0.1:PORT/headers" can\'t be read: its headers are too long',
      'it took longer than 0.2 seconds',
      '"example.com" is no URL, such as "https://example.com/page"',
      '"http://127.0.0.1:PORT/to/loop" leads through more than 5 redirects',
      '"elsewhere.test" may not be reached: the configuration lists 127.0.0.1:PORT, example.com',
      '"169.254.169.254" may not be reached: the configuration lists 127.0.0.1:PORT, example.com',
      '"file:///etc/passwd" is neither http nor https',
      '"127.0.0.1:9" may not be reached: the configuration lists 127.0.0.1:PORT, example.com',
    ])
  })

  it('however deep, becomes Markdown beside the event loop', async () => {
    expect(await outcomeOf('result = len(web.fetch("HERE/deep", markdown=True))')).toBe(0)
  })

  it('is not waited for when the call is cancelled', async () => {
    const web = await openBuiltin({ builtin: 'web', hosts: [`127.0.0.1:${port}`], timeoutMs: 60_000, maxBytes: 1000 })
    const stopping = new AbortController()
    const fetched = web.tools.fetch!.call({ url: `http://127.0.0.1:${port}/silent` }, { signal: stopping.signal })
    stopping.abort()
    await expect(fetched).rejects.toThrow('it was cancelled')
    await web.close()
  })
})

describe('no URL leads to', () => {
  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://0/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://0.0.0.0/',
    'http://169.254.169.254/',
    'http://localhost/',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1\\@example.com/',
    'http://example.com.evil.test/',
    'http://evilexample.com/',
    'http://sub.example.com/',
    'http://example.com:81/',
    'http://example.org/',
    'http://a.b.example.org.evil.test/',
    'http://1.1.1.1/',
    'http://exаmple.com/',
    'http://example。net/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:alert(1)',
    'http://user:secret@example.com/',
    '//example.com/',
    '/etc/passwd',
    '',
    'http://',
    'http://a b/',
  ])('a host that is not listed (%s)', async (url) => {
    const web = await openBuiltin({
      builtin: 'web',
      hosts: ['example.com', '*.example.org'],
      timeoutMs: 5_000,
      maxBytes: 1000,
    })
    const looked: string[] = []
    const words = await withLookUp(
      (host) => looked.splice(looked.length, 0, host),
      () => web.tools.fetch!.call({ url }, { signal: new AbortController().signal }),
    ).catch((error: Error) => error.message)
    expect(words).toMatch(/may not be reached|is no URL|is neither http nor https|a name or a password/)
    expect(looked).toEqual([])
    await web.close()
  })

  it('an address that is not public, unless the list has it', () => {
    const refused = [
      '127.0.0.1',
      '10.2.0.1',
      '192.168.0.1',
      '172.16.9.9',
      '100.64.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      'fe80::1',
      'fc00::1',
      '::ffff:10.2.0.1',
      '64:ff9b::a02:1',
      '2002:a02:1::',
      '::',
    ]
    const hosts = new Hosts(['h.test', '10.1.0.0/16', '[::2]:81'])
    expect(refused.filter((address) => hosts.permitsAddress(address))).toEqual([])
    expect(
      ['10.1.2.3', '::2', '::ffff:10.1.2.3', '93.184.216.34', '2606:2800:220:1::1'].filter(
        (one) => !hosts.permitsAddress(one),
      ),
    ).toEqual([])
  })

  it('another address than the one that was checked', async () => {
    // A name whose next answer is another address: 127.0.0.2 is listed, 127.0.0.1 is not.
    const answers = [['127.0.0.2', '127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']]
    const web = await openBuiltin({
      builtin: 'web',
      hosts: [`h.test:${port}`, '127.0.0.2'],
      timeoutMs: 5_000,
      maxBytes: 1000,
    })
    const looked: string[] = []
    const said: string[] = []
    asked.length = 0
    for (const addresses of answers)
      await withLookUp(
        (host) => [...looked.splice(looked.length, 0, host), ...addresses],
        () =>
          web.tools.fetch!.call({ url: `http://h.test:${port}/page.html` }, { signal: new AbortController().signal }),
      ).catch((error: Error) => said.push(error.message.replaceAll(String(port), 'PORT')))
    expect(said).toEqual([
      '"h.test" leads to 127.0.0.1, an address that is not public: a person may list it in hosts',
      expect.stringContaining('"http://h.test:PORT/page.html" can\'t be read: connection refused'),
      '"h.test" leads to 127.0.0.1, an address that is not public: a person may list it in hosts',
    ])
    // One question for each connection, which goes where the answer was checked.
    expect(looked).toEqual(['h.test', 'h.test', 'h.test'])
    expect(asked).toEqual([])
    await web.close()
  })

  it('a listed name, or a listed block of addresses', async () => {
    asked.length = 0
    for (const hosts of [
      [`H.test:${port}`, '127.0.0.0/8'],
      [`*.h.test:${port}`, `127.0.0.1:${port}`],
    ]) {
      const web = await openBuiltin({ builtin: 'web', hosts, timeoutMs: 5_000, maxBytes: 1000 })
      const name = hosts[0]!.startsWith('*') ? 'a.h.test' : 'h.test.'
      const answer = await withLookUp(
        () => ['127.0.0.1'],
        () => web.tools.fetch!.call({ url: `http://${name}:${port}/latin` }, { signal: new AbortController().signal }),
      )
      expect(answer).toEqual({ kind: 'text', text: 'café' })
      await web.close()
    }
    expect(asked).toEqual([`h.test.:${port}/latin`, `a.h.test:${port}/latin`])
  })
})

it('a list of hosts names hosts', () => {
  const good = [
    'example.com',
    '*.example.com',
    'h:8080',
    '10.0.0.1',
    '10.0.0.0/8',
    '[::1]:80',
    '::1',
    'fc00::/7',
    'bücher.example',
    'my_host',
  ]
  const bad = [
    '*',
    'http://example.com',
    'example.com/x',
    'a b',
    '10.0.0.0/33',
    '1.2.3',
    '300.1.1.1',
    'ex*mple.com',
    '*.',
    '',
    '0x7f.1',
    'h:port',
    '127.1',
  ]
  expect(good.filter((one) => !isHostPattern(one))).toEqual([])
  expect(bad.filter(isHostPattern)).toEqual([])
})

/** Runs with another look-up of names than the system's. */
async function withLookUp<T>(addressesOf: (host: string) => readonly string[], run: () => T | Promise<T>): Promise<T> {
  const own = dns.lookup
  const fake = (host: string, _: unknown, done: (error: Error | null, found: readonly object[]) => void) => {
    const found = addressesOf(host).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    done(found.length === 0 ? Object.assign(new Error('none'), { code: 'ENOTFOUND' }) : null, found)
  }
  dns.lookup = fake as never
  syncBuiltinESMExports()
  try {
    return await run()
  } finally {
    dns.lookup = own
    syncBuiltinESMExports()
  }
}
