// Writes out, in the declarations of a build, the types that are inferred from schemas: `extends Declared<typeof …>`
// and `z.output<typeof …>`. The package then needs no zod for its types, and each field keeps the comment that it has
// in the schema.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { API, SymbolFlags } from 'typescript/unstable/sync'

const INFERRED =
  /^export (?:interface (\w+)(<[^\n>]*>)? extends (?:(\w+), )?(?:Declared|z\.output)<typeof \w+> \{\n(?:.*\n)*?\}|type (\w+) = z\.output<typeof \w+>;)/gm
/** Of comments, in characters: docs/api indents by two. */
const WIDTH = 115

export function writeOutDeclared(root, dist) {
  const files = readdirSync(dist, { recursive: true })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(dist, name), 'utf8') }))
    .filter(({ text }) => text.search(INFERRED) >= 0)
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProject: path.join(root, 'tsconfig.json') }).getProjects()
    for (const { name, text } of files) {
      const source = path.join(root, 'src', name.replace(/\.d\.ts$/, '.ts'))
      const types = new Types(source, project.checker)
      const written = text.replace(INFERRED, (_, record, parameters = '', parent, alias) =>
        record === undefined ? types.alias(alias) : types.record(record, parameters, parent),
      )
      writeFileSync(path.join(dist, name), written)
    }
  } finally {
    api.close()
  }
}

/** The types that a file declares. */
class Types {
  #file
  #text
  #checker

  constructor(file, checker) {
    this.#file = file
    this.#text = readFileSync(file, 'utf8')
    this.#checker = checker
  }

  alias(name) {
    return `export type ${name} = ${quoted(this.#checker.typeToString(this.#type(name), undefined, WRITTEN_OUT))};`
  }

  /** An interface with the fields that its parent does not have. */
  record(name, parameters, parent) {
    const checker = this.#checker
    const [inherited] = checker.getBaseTypes(this.#type(name))
    const known = parent === undefined ? [] : checker.getPropertiesOfType(inherited).map((field) => field.name)
    const fields = checker.getPropertiesOfType(this.#type(name)).filter((field) => !known.includes(field.name))
    const lines = fields.map((field) => {
      const mark = field.flags & SymbolFlags.Optional ? '?' : ''
      const type = quoted(checker.typeToString(checker.getTypeOfSymbol(field), undefined, NO_TRUNCATION))
      return `${commentOf(checker.getDocumentationCommentOfSymbol(field))}    readonly ${field.name}${mark}: ${type};\n`
    })
    return `export interface ${name}${parameters}${parent === undefined ? '' : ` extends ${parent}`} {\n${lines.join('')}}`
  }

  #type(name) {
    const at = this.#text.search(new RegExp(`(?<=^export (?:interface|type) )${name}\\b`, 'm'))
    return this.#checker.getDeclaredTypeOfSymbol(this.#checker.getSymbolAtPosition(this.#file, at))
  }
}

/** Flags of the compiler: `NoTruncation`, and with it `InTypeAlias`, which shows the type behind a name. */
const NO_TRUNCATION = 1
const WRITTEN_OUT = 1 | (1 << 23)

/** With the quotes of our sources. */
function quoted(type) {
  return type.replace(/"([^"']*)"/g, "'$1'")
}

function commentOf(text) {
  if (text === '') return ''
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1).length + word.length >= WIDTH) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trimStart())
  }
  if (lines.length === 1 && lines[0].length < WIDTH - 3) return `    /** ${lines[0]} */\n`
  return `    /**\n${lines.map((line) => `     * ${line}\n`).join('')}     */\n`
}
