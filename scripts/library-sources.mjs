// The modules of Python's library that are compiled from CPython's own sources, as `pyodide` ships them. What a module does not
// need at run time is cut out of its text here; a cut that is no longer found fails the build.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'

const packageFolder = path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))

/** By module: the files that it is made of, in the order of their dependencies, and what is replaced in them. */
const modules = {
  colorsys: { files: ['colorsys.py'] },
  ipaddress: { files: ['ipaddress.py'] },
  tomllib: {
    files: ['tomllib/_re.py', 'tomllib/_parser.py'],
    replaced: [['TYPE_CHECKING = False', '']],
  },
}

/** Each module and its source text. */
export function librarySources() {
  const archive = unzip(readFileSync(path.join(packageFolder, 'python_stdlib.zip')))
  return Object.entries(modules).map(([name, { files, replaced = [] }]) => {
    let text = files.map((file) => ownText(archive(file))).join('\n')
    for (const [cut, instead] of replaced) {
      if (!text.includes(cut)) throw new Error(`${name}: there is no ${cut}`)
      text = text.replaceAll(cut, instead)
    }
    return [name, text]
  })
}

/** A file without what it does as a command, and without its imports of neighbours and for type checkers alone. */
function ownText(text) {
  return text
    .replace(/^if __name__ == ['"]__main__['"]:\n[\s\S]*$/m, '')
    .replace(/^if TYPE_CHECKING:\n(?:(?: .*)?\n)*/gm, '')
    .replace(/^from (?:__future__|\.\w*) import (?:\([^)]*\)|.*)$/gm, '')
}

/** A function that gives the text of a file in a ZIP archive. */
function unzip(bytes) {
  const entries = new Map()
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const [method, size, start] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]
    entries.set(name, { method, size, start })
    at += 46 + nameLength + extraLength + commentLength
  }
  return (file) => {
    const { method, size, start } = entries.get(file)
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const stored = bytes.subarray(from, from + size)
    return (method === 0 ? stored : inflateRawSync(stored)).toString('utf8')
  }
}
