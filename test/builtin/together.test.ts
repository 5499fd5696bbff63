// Programs that join files, tables and a real MCP server: what the built-in servers are there for.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { folderWith } from './folder.js'

const memory = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')
const root = folderWith({
  'notes/may.md': 'O-1 came back.\nO-3, too.\n',
  'notes/june.md': 'O-4 came back: O-9 is not ours.\n',
  'orders/may.csv': 'id,sku,qty\nO-1,T,2\nO-2,T,1\nO-3,C,5\n',
  'orders/june.csv': 'id,sku,qty\nO-4,T,3\n',
  'products.json': '[{"sku": "T", "name": "Tea"}, {"sku": "C", "name": "Cups"}]',
})
let codeMode: CodeMode

beforeAll(async () => {
  codeMode = await CodeMode.open({
    servers: {
      files: { builtin: 'files', root, write: true },
      sql: { builtin: 'sql', root },
      memory: {
        command: process.execPath,
        args: [memory],
        env: { MEMORY_FILE_PATH: path.join(root, 'memory.jsonl') },
      },
    },
  })
})
afterAll(() => codeMode.close())

/** What a model is answered, without times and sizes. */
async function answerTo(submission: Parameters<CodeMode['executeToolCode']>[0]): Promise<string> {
  const { text } = await codeMode.executeToolCode(submission)
  return text.replace(/: \d+ ms, \d+ bytes/g, '')
}

it('a program goes from notes over tables to a server, and leaves files and an answer', async () => {
  expect(
    await answerTo({
      code: `
returned = [{"id": found["match"], "path": found["path"]} for found in files.search(r"O-\\d", glob="*.md")]
artifacts.save("returned.csv", "id\\n" + "\\n".join(row["id"] for row in returned))
products = sql.query("""
    SELECT p.name, sum(o.qty)::INT AS pieces, list(r.path ORDER BY r.path) AS notes
    FROM 'orders/*.csv' o JOIN 'results/returned.csv' USING (id) JOIN returned r USING (id) JOIN 'products.json' p USING (sku)
    GROUP BY ALL ORDER BY ALL
""", tables={"returned": returned})
memory.create_entities(entities=[
    {"name": row["name"], "entityType": "product", "observations": ["%d returned" % row["pieces"]]} for row in products
])
known = memory.open_nodes(names=[row["name"] for row in products])["entities"]
files.write("report.json", json.dumps({entity["name"]: entity["observations"] for entity in known}))
result = sql.query("SELECT * FROM 'report.json'")`,
    }),
  ).toBe(
    `result: [{"Cups":["5 returned"],"Tea":["5 returned"]}]
called files.search ×1
called sql.query ×2
called memory.create_entities ×1
called memory.open_nodes ×1
called files.write ×1`,
  )
  expect(readFileSync(path.join(root, 'report.json'), 'utf8')).toBe('{"Cups": ["5 returned"], "Tea": ["5 returned"]}')
})

it('so does a program in JavaScript, and the correction of one that failed repeats no change', async () => {
  const program = (column: string) => `const [first] = sql.query("SELECT name FROM 'products.json' ORDER BY name")
memory.add_observations({ observations: [{ entityName: first.name, contents: [files.read("notes/june.md").trim()] }] })
const [row] = sql.query("SELECT ${column} AS name FROM 'products.json'")
result = memory.open_nodes({ names: [first.name, row.name] }).entities.map((entity) => entity.observations)`
  expect(await answerTo({ code: program('nme'), language: 'javascript' })).toBe(
    `tool error [tool-failed] sql.query failed: "Binder Error: Referenced column \\"nme\\" not found in FROM clause! Candidate bindings: \\"name\\" LINE 1: SELECT nme AS name FROM 'products.json' ^"
  program:3:15
  3 | const [row] = sql.query("SELECT nme AS name FROM 'products.json'")
    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
done before this: sql.query (safe to repeat), files.read (safe to repeat), memory.add_observations, sql.query (failed) (safe to repeat)
retry: reuse="run-2" takes the results of these calls instead of repeating them`,
  )
  expect(await answerTo({ code: program('name'), language: 'javascript', reuse: 'run-2' })).toBe(
    `result: [["5 returned","O-4 came back: O-9 is not ours."],["5 returned"]]
called sql.query ×2, 1 taken from the earlier run
called files.read ×1, 1 taken from the earlier run
called memory.add_observations ×1, 1 taken from the earlier run
called memory.open_nodes ×1`,
  )
})
