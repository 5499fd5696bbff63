// `starbind cat`: prints files that a model can read, and files of results/ byte for byte.

import { once } from 'node:events'
import { type Artifact, CodeMode, DiagnosticError, type Session, type SessionArtifacts } from '../../index.js'
import { ask } from '../ask.js'
import { wrongUsage } from '../failure.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog } from '../given.js'
import { show } from '../print.js'
import { mustGoOn, stopping } from '../stopping.js'

export async function cat(fileNames: readonly string[], options: CommonOptions): Promise<number> {
  const kept = fileNames.filter((name) => /^(?:starbind:\/\/|\.?\/)?results\//.test(name))
  if (kept.length === 0) return ask(options, 'readToolFile', { fileNames })
  if (kept.length < fileNames.length)
    throw wrongUsage('files of results/ are printed byte for byte, others with their names', 'print them apart')
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  await using codeMode = await CodeMode.open({
    configuration,
    ...keepingIn(options, configuration),
    log,
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
  // What a host's model left is of interest to the person at this machine, too.
  const owners = [codeMode, codeMode.session({ name: 'stdio', results: 'named' })]
  for (const name of kept) {
    const found = await foundIn(owners, name.replace(/^\.?\//, ''))
    if (found === undefined) return ask(options, 'readToolFile', { fileNames: [name] })
    await print(found.artifact, found.artifacts)
  }
  return 0
}

async function foundIn(owners: readonly Pick<Session, 'artifacts'>[], name: string) {
  for (const { artifacts } of owners) {
    const artifact = await artifacts.open(name).catch(nothing)
    if (artifact !== undefined) return { artifact, artifacts }
  }
  return undefined
}

function nothing(error: unknown): undefined {
  if (!(error instanceof DiagnosticError)) throw error
}

/** Control characters and bytes that are no text do not go to a terminal. */
async function print({ name, path, mimeType, bytes, width, height }: Artifact, artifacts: SessionArtifacts) {
  if (process.stdout.isTTY) {
    const text = textOf(await artifacts.read(name))
    if (text !== undefined) return show(process.stdout, text)
    const size = width === undefined ? '' : `${width} × ${height} pixels, `
    throw wrongUsage(
      `${path} is ${mimeType} (${size}${bytes} bytes), which a terminal can't show`,
      `write it to a file: starbind cat ${path} > ${name}`,
    )
  }
  for await (const piece of await artifacts.stream(name)) {
    mustGoOn()
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain', { signal: stopping })
  }
}

function textOf(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
