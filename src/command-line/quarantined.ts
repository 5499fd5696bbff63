import type { Catalogues } from '../index.js'

export function warnAboutQuarantined(catalogues: Catalogues): void {
  for (const [server, tools] of catalogues.quarantined)
    for (const { name, reason } of tools) process.stderr.write(`${server}: the tool ${name} is set aside: ${reason}\n`)
}
