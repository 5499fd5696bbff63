// The saved tools/list answers that lie beside the project, where they do.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCatalogue, type ToolServer } from '../../dist/bindings/index.js'

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

export const catalogueFolder = path.join(root, '..', 'shared', 'catalogues')

/** Why tests over all catalogues can't run; undefined when they can. */
export const noCatalogues = existsSync(catalogueFolder)
  ? undefined
  : 'skipped: there are no saved catalogues in ../shared/catalogues'

export function catalogues(): ToolServer[] {
  return readdirSync(catalogueFolder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -5)
      const { server, quarantined } = readCatalogue(readFileSync(path.join(catalogueFolder, file), 'utf8'), name, file)
      if (quarantined.length > 0) throw new Error(`${file}: ${JSON.stringify(quarantined)}`)
      return server
    })
}
