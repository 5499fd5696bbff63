// `starbind try`: a tour with built-in servers and without a configuration, followed by a prompt at a terminal.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CodeMode } from '../../index.js'
import { type CommonOptions, logFor } from '../given.js'
import { show } from '../print.js'
import { prompt } from '../repl/prompt.js'
import { mustGoOn, stopping } from '../stopping.js'
import { demoServers, hasSql } from '../try/demo-servers.js'
import { tour, tourProgram } from '../try/tour.js'

export async function tryOut(options: CommonOptions): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-try-'))
  try {
    return await tryIn(folder, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryIn(folder: string, options: CommonOptions): Promise<number> {
  await using codeMode = await CodeMode.open({
    servers: demoServers(folder),
    log: logFor(options, 'warn'),
    signal: stopping,
  })
  const isShown = await tour(codeMode, tourProgram(hasSql()))
  mustGoOn()
  if (!isShown) return 1
  if (process.stdin.isTTY && process.stdout.isTTY)
    show(process.stdout, '\nYour turn: for example tickets.get(id=107). Tab completes, .help shows more, Ctrl-D ends.')
  return await prompt(codeMode, { language: 'starlark' })
}
