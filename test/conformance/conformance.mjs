// All chunks of some folders, run and counted. What npm's script and the test have in common.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRunner } from './run-chunk.mjs'
import { readChunks, starFiles, suiteOf } from './suites.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Where the suites are when nobody says otherwise. */
export const suppliedSuites = path.resolve(root, '../shared/conformance')

export const haveSuites = existsSync(suppliedSuites)

/**
 * @typedef {import('./run-chunk.mjs').Verdict} Verdict
 *
 * @typedef {object} FileReport
 * @property {string} file
 * @property {readonly Verdict[]} verdicts
 */

/**
 * Runs every chunk of every file, in order.
 * @param {readonly string[]} folders
 * @param {(report: FileReport) => void} done Called for each file as soon as it has run.
 * @returns {Promise<FileReport[]>}
 */
export async function runFolders(folders, done = () => {}) {
  const files = folders.flatMap((folder) =>
    starFiles(folder).map((file) => ({ file, shown: shownPath(file, folder), suite: suiteOf(file) })),
  )
  const unknown = files.filter(({ suite }) => suite === undefined)
  if (unknown.length > 0)
    throw new Error(`no suite is recognised by the folders of ${unknown.map((f) => f.file).join(', ')}`)
  const runner = openRunner()
  const reports = []
  try {
    for (const { file, shown, suite } of files) {
      const verdicts = await twoAtATime(readChunks(file, shown, suite), (chunk) => runner.run(chunk))
      const report = { file: shown, verdicts }
      reports.push(report)
      done(report)
    }
  } finally {
    await runner.close()
  }
  return reports
}

/** Relative to the folder that was asked for, so that copies elsewhere read the same. */
function shownPath(file, folder) {
  return path.relative(folder, file).split(path.sep).join('/') || path.basename(file)
}

async function twoAtATime(items, work) {
  const results = []
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const i = next++
      results[i] = await work(items[i])
    }
  }
  await Promise.all([lane(), lane()])
  return results
}

/** @param {Verdict} verdict */
export const passed = (verdict) => verdict.failures.length === 0

/** @param {readonly FileReport[]} reports */
export function totals(reports) {
  const all = reports.flatMap((r) => r.verdicts)
  return { passed: all.filter(passed).length, total: all.length }
}
