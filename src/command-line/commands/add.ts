// `starbind add`: writes the entry of a built-in server.
// Invariant: what the file has stays as it is, and an entry is never replaced.

import { existsSync, statSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { builtinNames, readConfiguration, readOwnFile, textWithServers, writePrivateFile } from '../../index.js'
import { wrongUsage } from '../failure.js'

interface AddOptions {
  readonly output: string
  readonly name?: string
  readonly exclude?: readonly string[]
  readonly write?: true
}

export async function addServer(server: string, places: readonly string[], options: AddOptions): Promise<number> {
  const builtin = builtinNames.find((one) => one === server)
  if (builtin === undefined) throw wrongUsage(`there is no built-in server ${server}; want ${listed(builtinNames)}`)
  const { output, name = builtin } = options
  const file = path.resolve(output)
  const own = existing(file, output)
  if (own !== undefined && Object.hasOwn(own.servers, name))
    throw wrongUsage(`${output} has a server ${name} already; --name gives this one another name`)
  const isDatabase = builtin === 'sql' && /^(?:sqlite|postgres|postgresql):/.test(places[0] ?? '')
  const entry =
    builtin === 'web'
      ? webEntry(places, options)
      : isDatabase
        ? databaseEntry(places, options)
        : folderEntry(builtin, places, options)
  writePrivateFile(file, textWithServers(own, { [name]: entry }))
  const wrong = mistakeIn(file, name)
  if (wrong !== undefined) {
    if (own === undefined) unlinkSync(file)
    else writePrivateFile(file, own.text)
    throw wrongUsage(wrong)
  }
  process.stdout.write(`${output} has ${name}, which ${whatItDoes(entry)}; starbind ls shows its tools\n`)
  return 0
}

/** What is wrong with the values of a server's entry. A variable may be set later. */
function mistakeIn(file: string, name: string): string | undefined {
  const connection = readConfiguration(file).servers.find((one) => one.name === name)?.connection
  const faults = connection?.type === 'unusable' ? connection.faults : []
  return faults.find(({ code }) => code === 'config-wrong-value')?.message.replace(/^.*?(?=got )/s, '')
}

type Entry = Readonly<{
  builtin: string
  root?: string
  url?: string
  write?: true
  exclude?: readonly string[]
  hosts?: string[]
}>

function webEntry(hosts: readonly string[], { exclude, write }: AddOptions): Entry {
  if (hosts.length === 0) throw wrongUsage('name the hosts that it may reach, such as: starbind add web example.com')
  if (write || exclude !== undefined) throw wrongUsage('--write and --exclude are for folders; web has hosts')
  return { builtin: 'web', hosts: [...hosts] }
}

function databaseEntry(urls: readonly string[], { exclude, write }: AddOptions): Entry {
  if (urls.length > 1) throw wrongUsage(`sql works in one database, got ${urls.length}`)
  if (exclude !== undefined) throw wrongUsage('--exclude is for folders')
  return { builtin: 'sql', url: urls[0]!, ...(write && { write }) }
}

function folderEntry(builtin: string, places: readonly string[], { output, exclude, write }: AddOptions): Entry {
  const [folder = '.', ...more] = places
  if (more.length > 0) throw wrongUsage(`${builtin} works in one folder, got ${places.length}`)
  if (write && builtin === 'shell') throw wrongUsage('--write is for files and sql')
  if (exclude !== undefined && builtin === 'shell')
    throw wrongUsage('--exclude is not for shell: commands see the folder')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw wrongUsage(`there is no folder ${folder}`)
  const root = path.relative(path.dirname(path.resolve(output)), path.resolve(folder)) || '.'
  return { builtin, root: root.replaceAll(path.sep, '/'), ...(write && { write }), ...(exclude && { exclude }) }
}

function whatItDoes({ builtin, root, url, write, hosts = [] }: Entry): string {
  if (builtin === 'web') return `reads ${hosts.join(', ')}`
  if (builtin === 'shell') return `runs commands in ${root} when a person has approved them`
  const what = root ?? (url?.startsWith('sqlite:') ? url : 'a database')
  return `${write ? 'reads and changes' : 'reads'} ${what}`
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
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
