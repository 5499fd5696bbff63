// Reads a file as data, in exactly its own numbers: what is written 1.0 stays a float, and no digit is lost.

import { createRequire } from 'node:module'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseToml } from 'smol-toml'
import { Failure } from '../tool.js'
import { readText } from './read.js'
import { type DataArguments, dataFormats } from './schemas.js'
import { shown, type Wall } from './wall.js'

type Format = NonNullable<DataArguments['format']>

const FORMATS: Readonly<Record<string, Format>> = { ndjson: 'jsonl', yml: 'yaml' }
const readers: Readonly<Record<Format, (text: string) => string>> = {
  csv: (text) => tableJson(text, ','),
  tsv: (text) => tableJson(text, '\t'),
  json: (text) => checkedJson(text),
  jsonl: linesJson,
  yaml: yamlJson,
  toml: (text) => exactJson(parseToml(text, { integersAsBigInt: true })),
}

/** The JSON text of a file's data. */
export function readData(wall: Wall, { path: raw, format, encoding }: DataArguments): string {
  const chosen = formatOf(raw, format)
  const text = readText(wall, { path: raw, start: 1, lines: undefined, encoding })
  return dataOf({ text, format: chosen, name: raw })
}

/** The JSON text of data in a text. `format`: absent: by the ending of the name. */
export function dataOf({ text, format, name }: { text: string; format: Format | undefined; name: string }): string {
  const chosen = formatOf(name, format)
  try {
    return readers[chosen](text)
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new Failure(`${shown(name)} is not ${chosen}: ${reason.replace(/:$/, '')}`)
  }
}

function formatOf(name: string, format: Format | undefined): Format {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const known = FORMATS[ending] ?? ending
  const chosen = format ?? dataFormats.find((one) => one === known)
  if (chosen !== undefined) return chosen
  throw new Failure(
    `the name of ${shown(name)} does not say what it holds: pass format, one of ${dataFormats.join(', ')}`,
  )
}

/** One object for each row; every value is the text in the file. */
function tableJson(text: string, delimiter: string): string {
  const [header = [], ...rows] = parseCsv(text, { delimiter, bom: true, skip_empty_lines: true }) as string[][]
  const twice = header.find((name, i) => header.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`two columns are called ${JSON.stringify(twice)}`)
  const keys = header.map((name) => `${JSON.stringify(name)}:`)
  return `[${rows.map((row) => `{${row.map((cell, i) => keys[i] + JSON.stringify(cell)).join(',')}}`).join(',')}]`
}

function checkedJson(text: string): string {
  JSON.parse(text)
  return text
}

function linesJson(text: string): string {
  const lines = text.split('\n').map((line, i) => {
    try {
      return line.trim() === '' ? [] : [checkedJson(line)]
    } catch (error) {
      throw new Error(`line ${i + 1}: ${(error as Error).message}`)
    }
  })
  return `[${lines.flat().join(',')}]`
}

/** Several documents are a list. */
function yamlJson(text: string): string {
  // Large, and rarely needed.
  const { parseAllDocuments } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  const documents = parseAllDocuments(text, { intAsBigInt: true })
  const values = [...documents].map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return exactJson(document.toJS())
  })
  return values.length === 1 ? values[0]! : values.length === 0 ? 'null' : `[${values.join(',')}]`
}

/** JSON in which integers are bigints and all other numbers are floats. */
function exactJson(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return String(value)
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`JSON has no ${value}`)
      return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value)
    case 'object': {
      if (value === null) return 'null'
      if (value instanceof Date) return JSON.stringify(value.toISOString())
      if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
      const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${exactJson(one)}`)
      return `{${entries.join(',')}}`
    }
    default:
      return JSON.stringify(value) ?? 'null'
  }
}
