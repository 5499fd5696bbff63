// The published package and its workflows: the document of dependencies corresponds to the lock, and the workflows
// start existing scripts.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { dependenciesDocument } from '../../scripts/dependencies.mjs'
import { root, textOf } from './blocks.js'

const { scripts, files, dependencies } = JSON.parse(textOf('package.json')) as {
  scripts: Record<string, string>
  files: string[]
  dependencies: Record<string, string>
}

describe('docs/dependencies.md', () => {
  it('corresponds to the lock (update it with node scripts/dependencies.mjs)', () => {
    expect(textOf('docs/dependencies.md')).toBe(dependenciesDocument())
  })

  it('refuses a package without a reason, without a known license, and with an install script', () => {
    const lock = (more: object) => {
      const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { license: string }> }
      return { packages: { ...packages, ...more } }
    }
    const own = { dependencies: { ...dependencies, 'left-pad': '^1.0.0' } }
    expect(() => dependenciesDocument(lock({ '': own, 'node_modules/left-pad': { license: 'MIT' } }))).toThrow(
      'left-pad has no reason',
    )
    expect(() => dependenciesDocument(lock({ 'node_modules/zod': { license: 'Proprietary' } }))).toThrow(
      'node_modules/zod: Proprietary',
    )
    expect(() =>
      dependenciesDocument(lock({ 'node_modules/zod': { license: 'MIT', hasInstallScript: true } })),
    ).toThrow('node_modules/zod has an install script')
  })
})

it('the published files exist, and nothing runs at installation', () => {
  for (const file of files.filter((name) => !name.startsWith('!')))
    expect(existsSync(path.join(root, file)), file).toBe(true)
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
})

it('installing starbind brings what it loads when it needs it, and nothing that is in its bundles', () => {
  expect(Object.keys(dependencies)).toEqual(['re2js'])
  const bundles = readdirSync(path.join(root, 'dist/bundle')).map((name) => textOf(`dist/bundle/${name}`))
  expect(bundles.filter((text) => text.includes('ajv'))).toEqual([])
  expect(bundles.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([])
})

const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.enum(['push', 'pull_request', 'schedule', 'workflow_dispatch']), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.object({ group: z.string() }).optional(),
  jobs: z.record(
    z.string(),
    z.strictObject({
      'runs-on': z.string(),
      'timeout-minutes': z.number(),
      steps: z.array(
        z.union([
          z.strictObject({
            uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/),
            with: z.record(z.string(), z.unknown()).optional(),
          }),
          z.strictObject({ run: z.string() }),
        ]),
      ),
    }),
  ),
})

const folder = '.github/workflows'

describe('workflows', () => {
  const workflows = new Map(
    readdirSync(path.join(root, folder)).map((name) => [
      name,
      workflow.parse(parse(readFileSync(path.join(root, folder, name), 'utf8'))),
    ]),
  )
  const commands = (name: string) =>
    Object.values(workflows.get(name)?.jobs ?? {}).flatMap(({ steps }) =>
      steps.flatMap((step) => ('run' in step ? [step.run] : [])),
    )

  it('are the two', () => {
    expect([...workflows.keys()].sort()).toEqual(['ci.yml', 'nightly.yml'])
    expect(commands('ci.yml')).toEqual(['.ci/run'])
    expect(commands('nightly.yml')).toEqual(['npm ci', 'npm run test:long', 'npm audit --omit=dev'])
    expect(workflows.get('nightly.yml')?.on.schedule).toEqual([{ cron: '17 3 * * *' }])
  })

  it('run existing scripts', () => {
    expect(statSync(path.join(root, '.ci/run')).mode & 0o111).not.toBe(0)
    const named = [...workflows.keys()].flatMap(commands).flatMap((line) => /^npm run (\S+)/.exec(line)?.[1] ?? [])
    for (const name of named)
      expect(existsSync(path.join(root, /^node (\S+)$/.exec(scripts[name] ?? '')?.[1] ?? '?')), name).toBe(true)
  })
})
