// `starbind import`: writes a configuration from those of the hosts on this machine.
// Invariant: existing files change only on request, a host's file only after its diff was shown, and a written
// configuration can be opened.

import { copyFileSync, existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type Imported,
  importHosts,
  movedHostText,
  type OwnFile,
  readOwnFile,
  readVariables,
  secretsApart,
  textWithServers,
  variablesText,
  writePrivateFile,
} from '../../index.js'
import { wrongUsage } from '../failure.js'
import type { Paint } from '../paint.js'
import { show } from '../print.js'
import { agrees, isPersonThere } from '../question.js'
import { mustGoOn } from '../stopping.js'

interface ImportOptions {
  readonly output: string
  readonly from?: readonly string[]
  readonly merge?: true
  readonly move?: true
  readonly secrets?: string | true
  readonly gitignore?: true
  readonly yes?: true
  readonly force?: true
  readonly print?: true
}

const ENV_FILE = '.env'

export async function importServers(options: ImportOptions): Promise<number> {
  const file = path.resolve(options.output)
  const own = ownFile(file, options)
  const folder = process.cwd()
  const variables = readVariables(path.resolve(path.dirname(file), envFileOf(own, options)))
  const environment = { ...variables, ...process.env }
  const given = { folder, except: file, into: path.dirname(file), known: own?.servers ?? {}, environment }
  const imported = await importHosts({ ...given, ...(options.from === undefined ? {} : { from: options.from }) })
  tellFound(imported)
  await unlessInterrupted()
  const { mcpServers } = imported.configuration
  const count = Object.keys(mcpServers).length
  if (count === 0 && own === undefined) {
    process.stderr.write('no host on this machine has MCP servers that could be imported; nothing was written\n')
    return 1
  }
  if (options.print) {
    process.stdout.write(textWithServers(own, mcpServers))
    tellWhatIsMissing(imported, undefined)
    return 0
  }
  const written = await write(file, imported, own, options)
  tellWhatIsMissing(imported, written.envFile ?? own?.envFile)
  tellSecrets(imported, written.envFile, options)
  await keepOutOfGit(file, written.envFile, imported, options)
  const all = { ...own?.servers, ...mcpServers }
  return options.move === true ? moveHosts(file, imported, all, options) : 0
}

/** The existing configuration, if servers are added to it. */
function ownFile(file: string, { output, merge, force, print }: ImportOptions): OwnFile | undefined {
  const folder = path.dirname(file)
  if (!existsSync(folder)) throw wrongUsage(`there is no folder ${path.dirname(output)}`)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw wrongUsage(`${output} is a folder`)
  if (!existsSync(file)) return undefined
  if (merge)
    try {
      return readOwnFile(file)
    } catch (error) {
      throw wrongUsage(`servers can't be added to ${output}: ${(error as Error).message}`)
    }
  if (!force && !print)
    throw wrongUsage(`${output} exists already; --merge adds to it, --force overwrites it, --print only shows`)
  return undefined
}

function envFileOf(own: OwnFile | undefined, { secrets }: ImportOptions): string {
  return typeof secrets === 'string' ? secrets : (own?.envFile ?? ENV_FILE)
}

/** Lets a signal arrive during the work. */
async function unlessInterrupted(): Promise<void> {
  await turn()
  mustGoOn()
}

function tellFound({ found }: Imported): void {
  for (const { host, file, names, leftOut, problem } of found) {
    const what = problem ?? (names.length === 0 ? 'nothing new' : names.join(', '))
    const without = leftOut.map(({ name, reason }) => `; ${name}: ${reason}`).join('')
    show(process.stderr, `${host} (${file}): ${what}${without}`)
  }
}

async function write(
  file: string,
  { configuration, secrets }: Imported,
  own: OwnFile | undefined,
  options: ImportOptions,
): Promise<{ readonly envFile: string | undefined }> {
  const named = envFileOf(own, options)
  const question = `${options.output} would hold credentials (${placesOf(secrets)}). Write them into ${named} instead?`
  const isApart =
    secrets.length > 0 && (options.secrets !== undefined || (isPersonThere() && (await agrees(question, 'yes'))))
  await unlessInterrupted()
  const { mcpServers } = configuration
  if (!isApart) {
    writePrivateFile(file, textWithServers(own, mcpServers))
  } else {
    const envFile = path.resolve(path.dirname(file), named)
    const before = existsSync(envFile) ? readFileSync(envFile, 'utf8') : ''
    const apart = secretsApart(mcpServers, readVariables(envFile))
    writePrivateFile(
      envFile,
      `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${variablesText(apart.variables)}`,
    )
    writePrivateFile(file, textWithServers(own, apart.mcpServers, named))
  }
  const count = Object.keys({ ...own?.servers, ...mcpServers }).length
  process.stdout.write(`${options.output} has ${inWords(count, 'server')}; starbind doctor checks them\n`)
  return { envFile: isApart ? named : undefined }
}

function tellWhatIsMissing({ missing }: Imported, envFile: string | undefined): void {
  for (const { variable, servers, description } of missing) {
    const what = description === undefined ? '' : ` (${description})`
    const where = envFile === undefined ? 'a file that the key envFile names' : envFile
    tell(`${servers.join(', ')}: set ${variable}${what}, in the environment or in ${where}`)
  }
}

function tellSecrets({ secrets }: Imported, envFile: string | undefined, { output }: ImportOptions): void {
  if (secrets.length === 0) return
  if (envFile !== undefined) tell(`${envFile} has ${inWords(secrets.length, 'credential')}; ${output} refers to them`)
  else tell(`${output} holds credentials (${placesOf(secrets)}); --secrets writes them into a file of their own`)
}

function placesOf(secrets: Imported['secrets']): string {
  return secrets.map(({ server, key }) => `${server} ${key}`).join(', ')
}

/** Readers of the repository must not see credentials. */
async function keepOutOfGit(
  file: string,
  envFile: string | undefined,
  { secrets }: Imported,
  options: ImportOptions,
): Promise<void> {
  const folder = path.dirname(file)
  if (!isInRepository(folder) || (secrets.length === 0 && !options.gitignore)) return
  const ignore = path.join(folder, '.gitignore')
  const before = existsSync(ignore) ? readFileSync(ignore, 'utf8') : ''
  const isInside = (name: string) => !path.isAbsolute(name) && !name.startsWith('..')
  const names = [path.basename(file), ...(envFile === undefined ? [] : [envFile])].filter(isInside)
  const lines = before.split('\n').map((line) => line.trim().replace(/^\//, ''))
  const open = names.filter((name) => !lines.includes(name))
  if (open.length === 0) return
  const isMeant =
    options.gitignore ?? (isPersonThere() && (await agrees(`Add ${open.join(' and ')} to .gitignore?`, 'yes')))
  await unlessInterrupted()
  if (!isMeant)
    return tell(`git sees ${open.join(' and ')}; --gitignore keeps ${open.length === 1 ? 'it' : 'them'} out`)
  writeFileSync(
    ignore,
    `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${open.map((name) => `/${name}\n`).join('')}`,
  )
  tell(`.gitignore has ${open.join(' and ')}`)
}

function isInRepository(folder: string): boolean {
  return (
    existsSync(path.join(folder, '.git')) || (path.dirname(folder) !== folder && isInRepository(path.dirname(folder)))
  )
}

/** Shows the diff of each file and asks before writing it. */
async function moveHosts(
  file: string,
  { found }: Imported,
  servers: Readonly<Record<string, object>>,
  options: ImportOptions,
): Promise<number> {
  const { createTwoFilesPatch } = await import('diff')
  const start = { command: 'npx', args: ['-y', 'starbind', 'serve', '--config', file] }
  let isDone = true
  for (const { host, file: from, problem } of found) {
    if (problem !== undefined) continue
    try {
      const moved = await movedHostText(from, servers, start, { folder: process.cwd() })
      if (moved === undefined) continue
      const patch = createTwoFilesPatch(from, from, moved.before, moved.after, '', '', { context: 2 })
      const shown = moved.secrets.reduce((text, value) => text.replaceAll(value, '[hidden]'), patch)
      show(process.stderr, shown.replace(/^Index: .*\n=+\n/, '').replace(/\t$/gm, ''), paintDiff)
      const isMeant = options.yes ?? (isPersonThere() && (await agrees(`Let ${host} start starbind like this?`, 'no')))
      await unlessInterrupted()
      if (isMeant) process.stdout.write(`${host} starts starbind (${from}); before: ${replace(from, moved.after)}\n`)
      else isDone = false
    } catch (error) {
      mustGoOn()
      isDone = false
      tell(`${host} (${from}) is not changed: ${(error as Error).message}`)
    }
  }
  if (!isDone && !isPersonThere() && !options.yes)
    tell('no file of a host was changed: --yes changes them without asking')
  return isDone ? 0 : 1
}

/** Returns the path of the old text. A link stays a link, and the file's permissions stay. */
function replace(file: string, text: string): string {
  const real = realpathSync(file)
  const backup = [`${real}.bak`, ...Array.from({ length: 100 }, (_, i) => `${real}.bak-${i + 2}`)].find(
    (name) => !existsSync(name),
  )!
  copyFileSync(real, backup)
  writeFileSync(real, text)
  return backup
}

const paintDiff: Paint = (text, { bold, cyan, green, red }) =>
  text
    .replace(/^(?:---|\+\+\+) .*/gm, (line) => bold(line))
    .replace(/^@@.*/gm, (line) => cyan(line))
    .replace(/^\+(?!\+\+ ).*/gm, (line) => green(line))
    .replace(/^-(?!-- ).*/gm, (line) => red(line))

function tell(line: string): void {
  show(process.stderr, line)
}

function inWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
