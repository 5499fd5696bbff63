// The files of the page, as scripts/bundle-page.mjs wrote them: `index.html`, and others whose names hold a digest.
// Invariant: only files that were in the folder at the start are served, so no path leads out of it.

import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { pageMissing } from './messages.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** What the build of the page writes. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

export class StaticFiles {
  readonly #folder: string
  /** The paths of files below the folder, with `/`. */
  readonly #names: ReadonlySet<string>

  constructor(folder: string) {
    this.#folder = folder
    this.#names = new Set(namesIn(folder))
  }

  has(pathname: string): boolean {
    return pathname === '/' || this.#names.has(pathname)
  }

  answer({ method, headers }: IncomingMessage, response: ServerResponse, pathname: string): void {
    const name = pathname === '/' ? '/index.html' : pathname
    if (!this.#names.has(name)) {
      response.writeHead(404, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' })
      return void response.end(pageMissing)
    }
    const packed = readFileSync(path.join(this.#folder, `${name}.br`))
    const isPacked = /\bbr\b/.test(String(headers['accept-encoding'] ?? ''))
    const bytes = isPacked ? packed : brotliDecompressSync(packed)
    response.writeHead(200, {
      ...HEADERS,
      'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'Content-Length': bytes.length,
      'Cache-Control': hasDigest(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(isPacked ? { 'Content-Encoding': 'br' } : {}),
    })
    response.end(method === 'HEAD' ? undefined : bytes)
  }
}

function hasDigest(name: string): boolean {
  return /-[\w-]{8}\.\w+$/.test(name)
}

/** The build writes each file compressed, and only so. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.br') ? [`/${name.slice(0, -3)}`] : []))
  } catch {
    return []
  }
}
