// Writes docs/api/: the declarations of all public names, one page for each entry of the package. Run it after a build;
// a test compares the pages with the declarations. The declarations are parsed by the build's bundler, so no second
// compiler is needed.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const kinds = [
  ['Classes', 'ClassDeclaration'],
  ['Functions', 'TSDeclareFunction'],
  ['Constants', 'VariableDeclaration'],
  ['Types', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
]

/** The pages by file name, from the declarations of a build. */
export function apiDocument(dist = path.join(root, 'dist')) {
  const pages = publicNames(dist).map(({ entry, declarations }) => ({
    name: entry,
    file: `${entry.replaceAll('/', '-')}.md`,
    declarations,
  }))
  return new Map([['README.md', indexPage(pages)], ...pages.map((page) => [page.file, entryPage(page)])])
}

/**
 * The exports of each entry of the package, by name: the declaration, the text of its comment, and its example (empty
 * if there is none).
 */
export function publicNames(dist = path.join(root, 'dist')) {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const reader = new Declarations()
  return Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([subpath, { types }]) => ({
      entry: path.posix.join('starbind', subpath),
      declarations: reader
        .exported(path.join(dist, types.replace('./dist/', '')))
        .map(({ doc, ...rest }) => ({ ...rest, ...readDoc(doc) }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }))
}

const origin = 'Written by `node scripts/api.mjs` from the declarations of the package.'

function indexPage(pages) {
  const rows = pages.map(({ name, file, declarations }) => {
    const values = declarations.filter(({ node }) => !kinds[3].includes(node.type))
    return `| [\`${name}\`](${file}) | ${values.map((one) => `[\`${one.name}\`](${file}#${anchor(one.name)})`).join(', ')} |`
  })
  return `# The library\n\n${origin}\n\n| import from | what there is |\n| --- | --- |\n${rows.join('\n')}\n`
}

function entryPage({ name, declarations }) {
  const sections = kinds.flatMap(([title, ...types]) => {
    const members = declarations.filter(({ node }) => types.includes(node.type))
    return members.length === 0 ? [] : [`## ${title}`, ...members.map(declarationText)]
  })
  return `# \`${name}\`\n\n${origin}\n\n${sections.join('\n\n')}\n`
}

function declarationText({ name, prose, example, code }) {
  const shown = ['```ts', code, '```'].join('\n')
  return [
    `### ${name}`,
    ...(prose === '' ? [] : [prose]),
    ...(example === '' ? [] : [['```ts', example, '```'].join('\n')]),
    shown,
  ].join('\n\n')
}

/** The text and the example of a comment. */
function readDoc(doc) {
  const text = doc
    .replace(/^\/\*\*\s*|\s*\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
  const [prose, example = ''] = text.split(/^@example\n/m)
  return { prose: prose.trim(), example: example.trim() }
}

function anchor(name) {
  return name.toLowerCase()
}

/** Declaration files, each parsed and searched once. */
class Declarations {
  #files = new Map()
  #exports = new Map()

  /** The exports of a file, including its re-exports. */
  exported(file) {
    const known = this.#exports.get(file)
    if (known !== undefined) return known
    const found = this.#exportedBy(file)
    this.#exports.set(file, found)
    return found
  }

  #exportedBy(file) {
    return this.#read(file).statements.flatMap((statement) => {
      const from = statement.source ? declarationsOf(file, statement.source.value) : file
      if (statement.type === 'ExportAllDeclaration') return this.exported(from)
      if (statement.type !== 'ExportNamedDeclaration') return []
      if (statement.declaration !== null) return this.#own(file, statement, namesOf(statement.declaration))
      return statement.specifiers.flatMap(({ local, exported }) =>
        this.#find(from, local.name).map((found) => ({ ...found, name: exported.name })),
      )
    })
  }

  #find(file, name) {
    const here = this.#read(file).statements.filter(
      ({ declaration }) => declaration && namesOf(declaration).includes(name),
    )
    return here.length > 0
      ? here.flatMap((statement) => this.#own(file, statement, [name]))
      : this.exported(file).filter((one) => one.name === name)
  }

  #own(file, statement, names) {
    const { text, comments } = this.#read(file)
    const comment = comments.findLast(
      ({ end }) => end <= statement.start && text.slice(end, statement.start).trim() === '',
    )
    const code = text
      .slice(statement.start, statement.end)
      .replace(/^export declare |^export /, '')
      .replace(/^ *(#private|private [^\n]*);\n/gm, '')
      .replace(/^ *\/\*\* Made by [^\n]*\n *protected constructor[^\n]*\n/gm, '')
      .replace(/^( *)( \* @example\n)(?:\1 \*(?!\/).*\n)+/gm, '')
      .replace(/^( *) \*\n\1 \*\/$/gm, '$1 */')
      .replace(/^( {4})+/gm, (indent) => '  '.repeat(indent.length / 4))
    return names.map((name) => ({
      name,
      node: statement.declaration,
      doc: comment ? text.slice(comment.start, comment.end) : '',
      code,
    }))
  }

  #read(file) {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const text = readFileSync(file, 'utf8')
    const { program, comments, errors } = parseSync(file, text, { lang: 'dts', astType: 'ts' })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    const read = { text, comments: comments.filter(({ type }) => type === 'Block'), statements: program.body }
    this.#files.set(file, read)
    return read
  }
}

function declarationsOf(importer, specifier) {
  return path.join(path.dirname(importer), specifier.replace(/\.js$/, '.d.ts'))
}

function namesOf(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name)
  return [declaration.id.name]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.join(root, 'docs/api')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of apiDocument()) writeFileSync(path.join(folder, name), text)
  console.log(`docs/api: ${readdirSync(folder).join(', ')}`)
}
