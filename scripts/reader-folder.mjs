// Makes the folder of a reader of the README who has no clone: some files, the README's configuration, and on the PATH
// the commands `starbind`, which runs the current build, and `npx -y PACKAGE`, which starts the packages that are
// installed here.

import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Fills an empty folder. Returns the reader's folder in it, and the environment for commands there. */
export function readerFolder(place) {
  const [folder, commands] = [path.join(place, 'reader'), path.join(place, 'commands')]
  cpSync(path.join(root, 'examples', 'shop', 'data'), folder, { recursive: true })
  const [, configuration] = /^```json configuration\n(.*?)^```/ms.exec(
    readFileSync(path.join(root, 'README.md'), 'utf8'),
  )
  writeFileSync(path.join(folder, 'starbind.json'), configuration)
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(root, path.join(folder, 'node_modules', 'starbind'))
  mkdirSync(commands)
  const write = (name, text) => {
    writeFileSync(path.join(commands, name), `#!/bin/sh\n${text} "$@"\n`)
    chmodSync(path.join(commands, name), 0o755)
  }
  const node = `exec '${process.execPath}'`
  write('starbind', `${node} '${path.join(root, 'dist/main.js')}'`)
  write('npx', `shift\nname=$1\nshift\n${node} '${root}/node_modules'/"$name"/dist/index.js`)
  const env = { ...process.env, PATH: `${commands}${path.delimiter}${process.env.PATH}` }
  return { folder, command: path.join(commands, 'starbind'), env }
}
