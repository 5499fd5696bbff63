// `starbind add`: writes the entry of a built-in server.
// Invariant: what the file has stays as it is, and an entry is never replaced.

import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { builtinNames, readConfiguration, readOwnFile, textWithServers, writePrivateFile } from '../../index.js'
import { wrongUsage } from '../failure.js'

interface AddOptions {
  readonly output: string
  readonly name?: string
  readonly exclude?: readonly string[]
  readonly write?: true
}

export async function addServer(server: string, folder: string, options: AddOptions): Promise<number> {
  const builtin = builtinNames.find((one) => one === server)
  if (builtin === undefined)
    throw wrongUsage(`there is no built-in server ${server}; want ${builtinNames.join(' or ')}`)
  if (options.write && builtin !== 'files') throw wrongUsage(`--write is for files; ${server} only reads`)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw wrongUsage(`there is no folder ${folder}`)
  const { output, name = builtin, exclude, write } = options
  const file = path.resolve(output)
  const own = existing(file, output)
  if (own !== undefined && Object.hasOwn(own.servers, name))
    throw wrongUsage(`${output} has a server ${name} already; --name gives this one another name`)
  const root = path.relative(path.dirname(file), path.resolve(folder)) || '.'
  const entry = { builtin, root: root.replaceAll(path.sep, '/'), ...(write && { write }), ...(exclude && { exclude }) }
  writePrivateFile(file, textWithServers(own, { [name]: entry }))
  const [added] = readConfiguration(file).servers.filter((one) => one.name === name)
  const can = write ? 'reads and changes' : 'reads'
  process.stdout.write(`${output} has ${added!.name}, which ${can} ${root}; starbind ls shows its tools\n`)
  return 0
}

function existing(file: string, output: string): ReturnType<typeof readOwnFile> | undefined {
  if (!existsSync(path.dirname(file))) throw wrongUsage(`there is no folder ${path.dirname(output)}`)
  if (!existsSync(file)) return undefined
  try {
    return readOwnFile(file)
  } catch (error) {
    throw wrongUsage(`servers can't be added to ${output}: ${(error as Error).message}`)
  }
}
