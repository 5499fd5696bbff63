// `starbind import`: write a configuration of ours from those of the hosts on this machine. Invariant: a file that
// exists is not overwritten unless that was asked for, and what is written contains a server only once.

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { importHosts, writePrivateFile } from '../../index.js'
import { examples, finish } from '../command.js'
import { wrongUsage } from '../failure.js'

interface ImportOptions {
  readonly output: string
  readonly force?: true
  readonly print?: true
}

export function addImport(starbind: Command): void {
  starbind
    .command('import')
    .description('find the MCP servers of the hosts on this machine and write them into a configuration of ours')
    .option('-o, --output <file>', 'what to write', 'starbind.json')
    .option('--force', 'overwrite the file')
    .option('--print', 'print it and write nothing')
    .addHelpText(
      'after',
      examples('starbind import', 'starbind import --print', 'starbind import -o servers.json --force'),
    )
    .action((_, command: Command) => finish(importServers(command.optsWithGlobals())))
}

async function importServers({ output, force, print }: ImportOptions): Promise<number> {
  const file = path.resolve(output)
  const { configuration, found } = importHosts({ folder: process.cwd(), except: file })
  for (const { host, file: from, names, problem } of found)
    process.stderr.write(`${host} (${from}): ${problem ?? (names.length === 0 ? 'nothing new' : names.join(', '))}\n`)
  const count = Object.keys(configuration.mcpServers).length
  if (count === 0) {
    process.stderr.write('no host on this machine has MCP servers that could be imported; nothing was written\n')
    return 1
  }
  const text = `${JSON.stringify(configuration, null, 2)}\n`
  if (print) {
    process.stdout.write(text)
    return 0
  }
  if (existsSync(file) && !force)
    throw wrongUsage(`${output} exists already; --force overwrites it, --print only shows`)
  writePrivateFile(file, text)
  process.stdout.write(`${output} has ${count === 1 ? '1 server' : `${count} servers`}; starbind doctor checks them\n`)
  return 0
}
