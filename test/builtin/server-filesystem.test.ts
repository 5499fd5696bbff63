// The same tasks with `files` and with the reference server, and programs that combine the two.

import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { folderWith } from './folder.js'

const require = createRequire(import.meta.url)
const reference = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
const root = folderWith({
  'orders.csv': 'id,customer,total\n1,anna,10.50\n2,bo,7\n3,anna,2\n',
  'customers.json': '{"anna": "DE", "bo": "FR"}',
  'notes/a.md': 'one\ntwo\nthree\n',
  'notes/deep/b.md': 'four\n',
})
let codeMode: CodeMode

beforeAll(async () => {
  codeMode = await CodeMode.open({
    servers: {
      files: { builtin: 'files', root, write: true },
      reference: { command: process.execPath, args: [reference, root] },
    },
  })
})
afterAll(() => codeMode.close())

it('have the same answers', async () => {
  const { result, error } = await codeMode.run(`
root = ${JSON.stringify(root)}
ours = [
    files.read("notes/a.md"),
    files.read("notes/a.md", lines=2),
    files.read("notes/a.md", start=-1),
    sorted(e["name"] for e in files.list("notes")),
    sorted(files.glob("**/*.md")),
    files.stat("notes/a.md")["size"],
]
def text(answer):
    return answer["content"] if isinstance(answer, dict) else answer
theirs = [
    text(reference.read_text_file(path=root + "/notes/a.md")),
    text(reference.read_text_file(path=root + "/notes/a.md", head=2)) + "\\n",
    text(reference.read_text_file(path=root + "/notes/a.md", tail=2)) + "\\n",
    sorted(line.split("] ")[1] for line in text(reference.list_directory(path=root + "/notes")).splitlines()),
    sorted(line[len(root) + 1:] for line in text(reference.search_files(path=root, pattern="**/*.md")).splitlines()),
    int(text(reference.get_file_info(path=root + "/notes/a.md")).split("size: ")[1].split()[0]),
]
result = [ours, theirs]`)
  expect(error).toBeNull()
  const [ours, theirs] = result as [unknown[], unknown[]]
  expect(ours).toEqual([
    'one\ntwo\nthree\n',
    'one\ntwo\n',
    'three\n',
    ['a.md', 'deep'],
    ['notes/a.md', 'notes/deep/b.md'],
    14,
  ])
  expect(theirs.map((one) => (typeof one === 'string' ? one.trimEnd() : one))).toEqual(
    ours.map((one) => (typeof one === 'string' ? one.trimEnd() : one)),
  )
})

it('make the same changes, and refuse the same mistakes', async () => {
  const { result, error } = await codeMode.run(`
root = ${JSON.stringify(root)}
for path in ["ours", "theirs"]:
    files.write(path + "/list.txt", "tea\\nhoney\\ncandles\\n")
files.edit("ours/list.txt", old="honey", new="salt")
reference.edit_file(path=root + "/theirs/list.txt", edits=[{"oldText": "honey", "newText": "salt"}])
files.move("ours/list.txt", "ours/new.txt")
reference.move_file(source=root + "/theirs/list.txt", destination=root + "/theirs/new.txt")
result = [files.read("ours/new.txt"), files.read("theirs/new.txt")]
def fails(call):
    try:
        call()
        return False
    except Exception:
        return True
result.append([fails(call) for call in [
    lambda: files.read("absent.txt"), lambda: reference.read_text_file(path=root + "/absent.txt"),
    lambda: files.read("notes"), lambda: reference.read_text_file(path=root + "/notes"),
    lambda: files.edit("ours/new.txt", old="absent", new=""),
    lambda: reference.edit_file(path=root + "/theirs/new.txt", edits=[{"oldText": "absent", "newText": ""}]),
    lambda: files.move("orders.csv", "ours/new.txt"),
    lambda: reference.move_file(source=root + "/orders.csv", destination=root + "/theirs/new.txt"),
    lambda: files.read("../outside.txt"), lambda: reference.read_text_file(path=root + "/../outside.txt"),
]])`)
  expect(error).toBeNull()
  const text = 'tea\nsalt\ncandles\n'
  expect(result).toEqual([text, text, Array.from({ length: 10 }, () => true)])
})

it('change the same files, and what one writes the other reads', async () => {
  const { result, error } = await codeMode.run(`
countries = files.data("customers.json")
totals = {}
for row in files.data("orders.csv"):
    country = countries[row["customer"]]
    totals[country] = totals.get(country, 0) + float(row["total"])
files.write("report/totals.json", json.dumps(totals))
path = ${JSON.stringify(path.join(root, 'report/totals.json'))}
reference.edit_file(path=path, edits=[{"oldText": "FR", "newText": "France"}])
result = files.data("report/totals.json")`)
  expect(error).toBeNull()
  expect(result).toEqual({ DE: 12.5, France: 7 })
})
