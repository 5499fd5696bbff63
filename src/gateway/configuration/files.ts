// Configuration files: where they are found and how they are read. Knows no keys.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DiagnosticError } from '../../diagnostics/index.js'
import { configMissing, configNotJson, configUnreadable } from '../messages.js'
import { checkConfiguration } from './check.js'
import type { Configuration } from './configuration.js'
import { type JsonText, JsonTextError, type Place, parseJsonText } from './json-text.js'
import type { ReadOptions } from './surroundings.js'

/** Looks for `starbind.json`, then `.mcp.json`, in `folder` and then in each folder above it. */
export function findConfiguration(folder: string): string | undefined {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    for (const name of ['starbind.json', '.mcp.json']) {
      const file = path.join(here, name)
      if (existsSync(file)) return file
    }
    if (here === path.dirname(here)) return undefined
  }
}

/** Reads a configuration file. Throws a DiagnosticError with everything that is wrong in it. */
export function readConfiguration(file: string, options: ReadOptions = {}): Configuration {
  const shown = shownPath(file)
  const document = parseFile(readFile(file, shown), shown)
  return checkConfiguration(document.value, {
    ...options,
    folder: path.dirname(path.resolve(file)),
    placeOf: (key) => at(shown, document.placeOf(key)),
  })
}

function readFile(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new DiagnosticError(configMissing(shown))
    const reason = code === 'EISDIR' ? 'it is a folder' : code === 'EACCES' ? 'permission denied' : String(code)
    throw new DiagnosticError(configUnreadable(shown, reason))
  }
}

function parseFile(content: string, shown: string): JsonText {
  try {
    return parseJsonText(content)
  } catch (error) {
    if (error instanceof JsonTextError) throw new DiagnosticError(configNotJson(at(shown, error.place), error.message))
    throw error
  }
}

function at(file: string, place: Place | undefined): string {
  return place === undefined ? file : `${file}:${place.line}:${place.column}`
}

/** As a person in this folder would name the file. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), path.resolve(file))
  return relative.startsWith('..') ? path.resolve(file) : relative
}
