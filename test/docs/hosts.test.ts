// The configurations of docs/hosts.md follow each host's documentation: the file's shape, its keys, their types. A host
// ignores unknown keys and so would hide our mistake.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../..')
const document = readFileSync(path.join(root, 'docs/hosts.md'), 'utf8')
const blocks = new Map(
  [...document.matchAll(/^```(\w+) host=([\w-]+)\n([\s\S]*?)^```$/gm)].map(([, language, host, text]) => [
    host!,
    language === 'toml' ? parseToml(text!) : (JSON.parse(text!) as unknown),
  ]),
)

const env = z.record(z.string(), z.string()).optional()
const process = { command: z.string(), args: z.array(z.string()) }
const named = <S extends z.ZodType>(server: S) => z.strictObject({ starbind: server })

/** The form of servers over stdio in each host; keys of other hosts are mistakes. */
const documented: Readonly<Record<string, z.ZodType>> = {
  'claude-code': z.strictObject({
    mcpServers: named(z.strictObject({ type: z.literal('stdio').optional(), ...process, env })),
  }),
  'claude-desktop': z.strictObject({ mcpServers: named(z.strictObject({ ...process, env })) }),
  cursor: z.strictObject({
    mcpServers: named(
      z.strictObject({ type: z.literal('stdio').optional(), ...process, env, envFile: z.string().optional() }),
    ),
  }),
  vscode: z.strictObject({
    servers: named(z.strictObject({ type: z.literal('stdio'), ...process, env, envFile: z.string().optional() })),
    inputs: z.array(z.unknown()).optional(),
  }),
  codex: z.strictObject({
    mcp_servers: named(
      z.strictObject({
        ...process,
        env,
        cwd: z.string().optional(),
        startup_timeout_sec: z.number().optional(),
        tool_timeout_sec: z.number().optional(),
        enabled: z.boolean().optional(),
      }),
    ),
  }),
  'gemini-cli': z.strictObject({
    mcpServers: named(
      z.strictObject({
        ...process,
        env,
        cwd: z.string().optional(),
        timeout: z.int().optional(),
        trust: z.boolean().optional(),
        includeTools: z.array(z.string()).optional(),
        excludeTools: z.array(z.string()).optional(),
      }),
    ),
  }),
  zed: z.strictObject({
    context_servers: named(
      z.strictObject({ ...process, env, source: z.literal('custom').optional(), enabled: z.boolean().optional() }),
    ),
  }),
}

describe('docs/hosts.md', () => {
  it('shows every host once', () => {
    expect([...blocks.keys()].sort()).toEqual(Object.keys(documented).sort())
  })

  it.each(Object.keys(documented))('configures %s as it is documented, and starts the same everywhere', (host) => {
    const configuration = documented[host]!.parse(blocks.get(host))
    const [servers] = Object.values(configuration as Record<string, { starbind: { command: string; args: string[] } }>)
    const { command, args } = servers!.starbind
    expect([command, ...args]).toEqual(['npx', '-y', 'starbind', 'serve', '--config', '/home/me/starbind.json'])
  })

  it('starts an existing command', () => {
    const help = execFileSync('node', [path.join(root, 'dist/main.js'), 'serve', '--help'], { encoding: 'utf8' })
    expect(help).toContain('--config <file>')
  })

  it('points to existing examples', () => {
    const examples = [...document.matchAll(/\]\(\.\.\/(examples\/[^)]+)\)/g)].map((match) => match[1]!)
    expect(examples).toHaveLength(6)
    for (const example of examples) expect(existsSync(path.join(root, example)), example).toBe(true)
  })
})
