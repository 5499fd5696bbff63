// Somebody asks for files beside those of the page, or wants the page inside of another one.

import { request } from 'node:http'
import { expect, it } from 'vitest'
import { openPage } from '../page/page-service.js'

it('only the files of the page are served, and no script or frame of others', async () => {
  const { url } = await openPage()
  const { port } = new URL(url)
  // `fetch` would resolve the dots.
  const status = (path: string) =>
    new Promise((resolve) => {
      request({ host: '127.0.0.1', port, path }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
  const outside = [
    '/../package.json',
    '/page.js',
    '/%2e%2e/package.json',
    '/index.html.br',
    '/..%5cpackage.json',
    '//etc/passwd',
  ]
  for (const path of outside) expect([path, await status(path)]).toEqual([path, 404])
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const [, asset] = /src="\/?([^"]+)"/.exec(await page.text())!
  const script = await fetch(`${url}${asset!.replace(/^\.\//, '')}`)
  expect([script.status, script.headers.get('content-type'), script.headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
})
