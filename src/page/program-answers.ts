// The operations about saved programs: files of one folder, which the library reads again when they change.
// Invariant: a name is never a path, and a file is replaced whole or not at all.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SavedProgramStatus, Session } from '../index.js'
import type { Asked } from './asked.js'
import type { PageSavedProgram, ProgramSummary, SaveProgram } from './interface.js'
import { mayNotManage, noFolder, noSuch, notNamable, notWrappable } from './messages.js'
import { Refusal } from './refusal.js'

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,60}$/
const ENDINGS = { starlark: '.star', javascript: '.js' } as const

export function programAnswers(folder: string | undefined) {
  const named = ({ parameters }: Asked) => parameters.program ?? ''
  const changing = ({ viewer }: Asked): string => {
    if (!viewer.mayManage) throw new Refusal(403, mayNotManage)
    if (folder === undefined) throw new Refusal(409, noFolder)
    return folder
  }
  return {
    programs: async ({ viewer }: Asked) => ({ programs: (await viewer.session.programs()).map(summary) }),
    program: (asked: Asked) => shown(asked.viewer.session, folder, named(asked)),
    saveProgram: async (asked: Asked) => {
      const place = changing(asked)
      const name = named(asked)
      if (!NAME.test(name)) throw new Refusal(400, notNamable(name))
      const { text, language, parameters = [] } = asked.body as SaveProgram
      await mkdir(place, { recursive: true })
      await written(path.join(place, `${name}${ENDINGS[language]}`), withParameters(text, language, parameters))
      const other = language === 'starlark' ? ENDINGS.javascript : ENDINGS.starlark
      await rm(path.join(place, `${name}${other}`), { force: true })
      return shown(asked.viewer.session, place, name)
    },
    deleteProgram: async (asked: Asked) => {
      const place = changing(asked)
      const { file } = await statusOf(asked.viewer.session, named(asked))
      await rm(path.join(place, path.basename(file)), { force: true })
    },
  }
}

function summary({ name, file, language, description, inputSchema, problem }: SavedProgramStatus): ProgramSummary {
  return { name, file, language, description, inputSchema, problem: problem ?? null }
}

async function statusOf(session: Session, name: string): Promise<SavedProgramStatus> {
  const found = (await session.programs()).find((one) => one.name === name)
  if (found === undefined) throw new Refusal(404, noSuch('saved program', name))
  return found
}

async function shown(session: Session, folder: string | undefined, name: string): Promise<PageSavedProgram> {
  const status = await statusOf(session, name)
  const text = folder === undefined ? '' : await readFile(path.join(folder, path.basename(status.file)), 'utf8')
  return { ...summary(status), text }
}

async function written(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`
  await writeFile(temporary, text)
  await rename(temporary, file)
}

type Parameters = NonNullable<SaveProgram['parameters']>

/** The program as the body of a function `main`. Throws a Refusal where indenting it would change a text in it. */
function withParameters(text: string, language: SaveProgram['language'], parameters: Parameters): string {
  if (parameters.length === 0) return text
  if (/"""|'''|`|\\\n/.test(text)) throw new Refusal(400, notWrappable)
  const indented = text.replace(/^(?=.)/gm, language === 'starlark' ? '    ' : '  ')
  if (language === 'javascript') {
    const types = parameters.map(({ name, type }) => ` * @param {${JS_TYPES[type]}} ${name}`).join('\n')
    const names = parameters.map((one) =>
      one.default === undefined ? one.name : `${one.name} = ${JSON.stringify(one.default)}`,
    )
    return `/**\n${types}\n */\nasync function main({ ${names.join(', ')} }) {\n  let result\n${indented}\n  return result\n}\n`
  }
  const names = parameters.map(
    (one) => `${one.name}: ${one.type}${one.default === undefined ? '' : ` = ${starlark(one.default)}`}`,
  )
  return `def main(${names.join(', ')}):\n    result = None\n${indented}\n    return result\n`
}

const JS_TYPES = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'any[]',
  dict: 'object',
  Any: 'any',
} as const

function starlark(value: string | number | boolean | null): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}
