// The arguments and results of the tools. Each description is one line of a stub.

import { z } from 'zod'

export const dataFormats = ['csv', 'tsv', 'json', 'jsonl', 'yaml', 'toml'] as const

const filePath = z.string().min(1).describe('relative to the root, such as "docs/a.md"')
const folderPath = z.string().default('.').describe('a folder, relative to the root')
const limit = z
  .int()
  .min(1)
  .max(50_000)
  .optional()
  .describe('stop after so many; absent: all, or a failure if there are too many')
const hidden = z.boolean().default(false).describe('also names that begin with a dot')
const ignored = z.boolean().default(false).describe('also what a .gitignore leaves out')
const encoding = z.string().default('utf-8').describe('utf-8, utf-16le, latin1, windows-1252, shift_jis, …')

export const pathArguments = z.strictObject({ path: filePath })
export const folderArguments = z.strictObject({ path: folderPath })
export const globArguments = z.strictObject({
  pattern: z.string().min(1).describe('such as "**/*.py", relative to path'),
  path: folderPath,
  hidden,
  ignored,
  limit,
})
export const searchArguments = z.strictObject({
  pattern: z.string().min(1).describe('a regular expression (RE2)'),
  path: z.string().default('.').describe('a folder or a file, relative to the root'),
  glob: z.string().min(1).optional().describe('only files that match, such as "*.py"'),
  literal: z.boolean().default(false).describe('pattern is plain text'),
  ignore_case: z.boolean().default(false),
  multiline: z.boolean().default(false).describe('a match may span lines'),
  context: z.int().min(0).max(100).default(0).describe('lines before and after each match'),
  hidden,
  ignored,
  limit,
})
export const readArguments = z.strictObject({
  path: filePath,
  start: z.int().default(1).describe('the first line; -20: the last twenty lines'),
  lines: z.int().min(1).optional().describe('how many lines; absent: all'),
  encoding,
})
export const dataArguments = z.strictObject({
  path: filePath,
  format: z.enum(dataFormats).optional().describe('absent: by the ending of the name'),
  encoding,
})
export const writeArguments = z.strictObject({
  path: filePath,
  text: z.string().optional().describe('the new text'),
  content: z.string().optional().describe('an artifact, or base64, instead of text').meta({ format: 'byte' }),
  append: z.boolean().default(false).describe('keep what is there, and add to it'),
})
export const editArguments = z.strictObject({
  path: filePath,
  old: z.string().min(1).optional().describe('the text to replace; it must be there exactly once'),
  new: z.string().optional().describe('the text in its place'),
  all: z.boolean().default(false).describe('replace every occurrence'),
  diff: z.string().optional().describe('a unified diff instead of old and new'),
})
export const moveArguments = z.strictObject({
  path: filePath,
  to: filePath.describe('the new path, where nothing is yet'),
})
export const undoArguments = z.strictObject({
  change: z.string().optional().describe('the change of an earlier call; absent: the last one'),
})

const kind = z.enum(['file', 'folder', 'link', 'other'])
export const entryShape = z.object({ name: z.string(), path: z.string(), kind, size: z.int().describe('bytes') })
export const factsShape = z.object({
  path: z.string(),
  kind,
  size: z.int().describe('bytes'),
  modified: z.string().describe('such as "2026-01-31T12:00:00.000Z"'),
})
export const matchShape = z.object({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  text: z.string().describe('the line'),
  match: z.string().describe('what matched'),
  before: z.array(z.string()),
  after: z.array(z.string()),
})
export const changeShape = z.object({
  change: z.string().describe('for files.undo'),
  action: z.enum(['created', 'replaced', 'moved', 'removed', 'undone']),
  path: z.string(),
  bytes: z.int(),
})

export type PathArguments = z.output<typeof pathArguments>
export type GlobArguments = z.output<typeof globArguments>
export type SearchArguments = z.output<typeof searchArguments>
export type ReadArguments = z.output<typeof readArguments>
export type DataArguments = z.output<typeof dataArguments>
export type WriteArguments = z.output<typeof writeArguments>
export type EditArguments = z.output<typeof editArguments>
export type MoveArguments = z.output<typeof moveArguments>
export type Entry = z.output<typeof entryShape>
export type Facts = z.output<typeof factsShape>
export type Match = z.output<typeof matchShape>
