// Observed result types on disk, kept between starts.
// Invariant: a file that is missing, broken or read-only loses the observations and nothing else.

import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ObservationOptions, Observations } from '../bindings/index.js'
import { type Log, writePrivateFile } from '../gateway/index.js'

/** The observations in a file; empty without a file. */
export function readObservations(file: string | undefined, options: ObservationOptions, log: Log): Observations {
  const observations = new Observations(options)
  if (file === undefined) return observations
  try {
    const restored = observations.restore(JSON.parse(readFileSync(file, 'utf8')))
    if (!restored) log({ level: 'warn', message: `${file} does not hold observations; it is not used` })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log({ level: 'warn', message: `${file} can't be read; earlier observations are not used` })
  }
  return observations
}

/** Replaces the file's content in one step. */
export function writeObservations(file: string, observations: Observations, log: Log): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writePrivateFile(file, `${JSON.stringify(observations)}\n`)
  } catch {
    log({ level: 'warn', message: `${file} can't be written; observations are lost when this process ends` })
  }
}
