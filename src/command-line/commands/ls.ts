// `starbind ls`: lists servers and tools, or the tools that match a query. With --catalogues it reads saved lists and
// starts nothing.

import { type Answer, Catalogues, type ToolResult } from '../../index.js'
import { ask } from '../ask.js'
import { noConfiguration } from '../failure.js'
import { type CommonOptions, configurationFileFor } from '../given.js'
import type { Paint } from '../paint.js'
import { printAnswer, printData, printJson, show } from '../print.js'
import { warnAboutQuarantined } from '../quarantined.js'

interface ListOptions extends CommonOptions {
  readonly server?: string
  readonly query?: string
  readonly catalogues?: string
  readonly json?: true
  readonly signatures?: true
}

export async function ls(words: readonly string[], options: ListOptions): Promise<number> {
  const { server, catalogues, json = false, signatures = false } = options
  const query = [...words, ...(options.query === undefined ? [] : [options.query])].join(' ')
  const question = { ...(query === '' ? {} : { query }), ...(server === undefined ? {} : { server }) }
  const print = json ? printData : query === '' || signatures ? printAnswer : printMatches
  if (catalogues === undefined) {
    if (configurationFileFor(options) === undefined) throw noConfiguration()
    return ask(options, 'listToolFiles', question, print)
  }
  const saved = Catalogues.openFolder(catalogues)
  warnAboutQuarantined(saved)
  if (!json) return print(saved.listToolFiles(question))
  printJson({ results: saved.search(question.query, server) })
  return 0
}

/** The lines below the matching tools: the servers that could not be asked. */
const remark = /^# .* is not (?:available|connected now): /

/** The matching tools: names and descriptions. */
function printMatches(answer: Answer): number {
  const { results = [] } = (answer.structured ?? {}) as { readonly results?: readonly ToolResult[] }
  if (answer.isError || results.length === 0) return printAnswer(answer)
  const texts = answer.text.split('\n')
  const named = results.map(({ signature }) => {
    const line = texts.find((one) => one === signature || one.startsWith(`${signature}  `)) ?? signature
    return { name: signature.slice(0, signature.indexOf('(')), about: line.slice(signature.length).trimStart() }
  })
  const width = Math.max(...named.map(({ name }) => name.length))
  const lines = named.map(({ name, about }) => (about === '' ? name : `${name.padEnd(width)}  ${about}`))
  const remarks = texts.filter((line) => remark.test(line))
  show(process.stdout, [...lines, ...remarks].join('\n'), paintMatches)
  return 0
}

const paintMatches: Paint = (text, { bold, dim }) =>
  text.replace(/^(?!#)(\S+)/gm, (name) => bold(name)).replace(/(?:^|(?<= ))(?:#|\/\/) .*$/gm, (words) => dim(words))
