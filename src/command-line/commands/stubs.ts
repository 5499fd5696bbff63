// `starbind stubs`: prints the stub files of a saved tools/list answer.

import { type BindingLevel, Catalogues } from '../../index.js'
import { printAnswer } from '../print.js'
import { warnAboutQuarantined } from '../quarantined.js'

interface StubsOptions {
  readonly server: string
  readonly level?: BindingLevel
  readonly file?: string
}

export async function stubs(catalogue: string, { server, level = 'server', file }: StubsOptions): Promise<number> {
  const catalogues = Catalogues.open({ [server]: catalogue }, { bindingLevel: level })
  warnAboutQuarantined(catalogues)
  return printAnswer(catalogues.readToolFile({ fileNames: file === undefined ? catalogues.stubFiles() : [file] }))
}
