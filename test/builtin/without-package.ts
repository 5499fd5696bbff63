// A package that is not installed, as far as modules that are required can tell.

import Module from 'node:module'

interface Loader {
  _resolveFilename(request: string, ...more: unknown[]): string
  _load(request: string, ...more: unknown[]): unknown
}

export async function withoutPackage(name: string, act: () => Promise<unknown>): Promise<void> {
  const loader = Module as unknown as Loader
  const own = { _resolveFilename: loader._resolveFilename, _load: loader._load }
  for (const key of ['_resolveFilename', '_load'] as const)
    loader[key] = (request: string, ...more: unknown[]) => {
      if (request === name) throw new Error(`Cannot find module '${name}'`)
      return own[key].call(loader, request, ...more) as string
    }
  try {
    await act()
  } finally {
    Object.assign(loader, own)
  }
}
