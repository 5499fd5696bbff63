// A Postgres for one test file: the one that the machine has, in a folder of its own.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'

const DEBIAN = '/usr/lib/postgresql'
const folders = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => path.join(DEBIAN, version, 'bin')) : []
const bin = [...folders, ...(process.env.PATH ?? '').split(path.delimiter)].find((folder) =>
  existsSync(path.join(folder, 'initdb')),
)
/** Postgres does not run as root. */
const user = process.getuid?.() === 0 ? accountOf('postgres') : undefined

/** Why there is none; undefined if there is one. */
export const whyNoPostgres =
  bin === undefined
    ? 'there is no Postgres; Debian: apt install postgresql'
    : process.getuid?.() === 0 && user === undefined
      ? 'Postgres does not run as root, and there is no user postgres'
      : undefined

function accountOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout))
  return uid && gid ? { uid, gid } : undefined
}

/** Starts a server with the tables of `script`. Its opener closes it. */
export async function openPostgres(script: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...user }
  execFileSync(path.join(bin!, 'initdb'), ['--no-sync', '-A', 'trust', '-U', 'shop', '-E', 'UTF8', '-D', data], {
    ...options,
    stdio: 'ignore',
  })
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'shared_buffers=16MB',
  ]
  const server = spawn(path.join(bin!, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...options,
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgres://shop@127.0.0.1:${port}/postgres`
  for (let isUp = false; !isUp; ) {
    if (server.exitCode !== null) throw new Error('Postgres has ended')
    const client = postgres(url, { max: 1, onnotice: () => {} })
    isUp = await client.unsafe(script).then(
      () => true,
      (error: { readonly code?: string }) => {
        if (error.code !== 'ECONNREFUSED' && error.code !== '57P03') throw error
        return false
      },
    )
    await client.end()
  }
  return {
    url,
    close: async () => {
      server.kill('SIGINT')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  await new Promise((resolve) => taken.close(resolve))
  return port
}
