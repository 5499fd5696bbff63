import type { HttpOptions, HttpServing } from './http.js'

/** Listens. Rejects with a DiagnosticError when the address can't be used, or may not be without keys. */
export async function serveHttp(options: HttpOptions): Promise<HttpServing> {
  const { Serving } = await import('./http.js')
  const serving = new Serving(options)
  await serving.listen()
  return serving
}
