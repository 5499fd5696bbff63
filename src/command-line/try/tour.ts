// The tour of `starbind try`: a model's steps on the demo's servers.

import type { CodeMode } from '../../index.js'
import { coloursFor } from '../colours.js'
import { paintFiles } from '../paint.js'
import { show } from '../print.js'
import { stopping } from '../stopping.js'
import { watched } from '../watched-run.js'

const WITH_FILES = `paid = {}
for row in files.data("payments.csv"):
    paid[int(row["ticket"])] = paid.get(int(row["ticket"]), 0) + int(row["euros"])
`
const WITH_SQL = `rows = sql.query("SELECT ticket, sum(euros)::INT AS euros FROM 'payments.csv' GROUP BY ticket")
paid = {row["ticket"]: row["euros"] for row in rows}
`

/** The program of the tour, for servers with `sql` or without. */
export const tourProgram = (withSql: boolean): string => `waiting = {}
page = 1
while page:
    answer = tickets.list(state="open", page=page)
    for ticket in answer["tickets"]:
        waiting.setdefault(ticket["team"], []).append(ticket)
    page = answer["nextPage"]

${withSql ? WITH_SQL : WITH_FILES}
lines = []
for team, open in sorted(waiting.items()):
    oldest = min(open, key=lambda ticket: ticket["opened"])
    urgent = [ticket for ticket in open if ticket["priority"] == "high"]
    euros = sum(paid[ticket["id"]] for ticket in open)
    duty = people.on_duty(team=team)
    lines.append(f"{team}: {len(open)} open, {len(urgent)} urgent, {euros} euros, oldest since {oldest['opened']} ({oldest['subject']}) -> {duty['name']}")

notes.write(title="Monday", text="\\n".join(lines))
print("\\n".join(lines))
`

/** Prints the tour. Resolves to whether the program succeeded. */
export async function tour(codeMode: CodeMode, program: string): Promise<boolean> {
  title('1. A model looks around: listToolFiles()')
  show(process.stdout, (await codeMode.listToolFiles()).text, paintFiles)
  title('2. It reads what it needs: readToolFile("servers/tickets.pyi")')
  show(process.stdout, (await codeMode.readToolFile({ fileName: 'servers/tickets.pyi' })).text, paintFiles)
  title('3. It writes one program: executeToolCode(code)')
  show(process.stdout, program, paintFiles)
  title('4. It gets what the program printed')
  const { result, print } = await watched((onEvent) => codeMode.run(program, { onEvent, signal: stopping }))
  print()
  if (result.ok) show(process.stdout, billText(result.calls))
  return result.ok
}

/** The bytes that went through the program, and those that the model had to read. */
function billText(calls: readonly { readonly bytes: number }[]): string {
  const bytes = calls.reduce((sum, call) => sum + call.bytes, 0)
  return `\n${calls.length} calls in one program; ${bytes} bytes of results went through it and not through a model.`
}

function title(text: string): void {
  const { bold, cyan } = coloursFor(process.stdout)
  process.stdout.write(`\n${bold(cyan(text))}\n\n`)
}
