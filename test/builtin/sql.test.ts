// The server `sql`, from programs: exact values, tables of every kind, and no way out.

import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBuiltin } from '../../dist/builtin/index.js'
import { CodeMode } from '../../dist/index.js'
import { folderWith } from './folder.js'
import { withoutPackage } from './without-package.js'

const SECRET = 'nobody inside may see this'
const place = folderWith({
  'outside/secret.csv': `word\n${SECRET}\n`,
  'root/orders/2025.csv': 'id,customer,price,day\n1,anna,10.50,2025-01-31\n2,bo,7.00,2025-02-01\n',
  'root/orders/2026.csv': 'id,customer,price,day\n3,anna,2.25,2026-01-01\n',
  'root/customers.json': '[{"name": "anna", "tags": ["a", "b"]}, {"name": "bo", "tags": []}]',
  'root/events.jsonl': '{"n": 9007199254740993}\n{"n": 1}\n',
  'root/table.tsv': 'a\tb\n1\tx\n',
  'root/packed.csv.gz': gzipSync('a\n1\n2\n'),
  'root/notes.txt': 'no table',
  'root/book.xlsx': 'no table',
  'root/hidden/secret.csv': `word\n${SECRET}\n`,
})
const root = path.join(place, 'root')
const outside = path.join(place, 'outside/secret.csv')
const settings = { builtin: 'sql', root, exclude: [], unwritable: [], write: false, timeoutMs: 60_000 } as const
const calm = { signal: new AbortController().signal }
let codeMode: CodeMode

beforeAll(async () => {
  symlinkSync('../outside', path.join(root, 'out'))
  symlinkSync('../outside/secret.csv', path.join(root, 'link.csv'))
  codeMode = await CodeMode.open({
    servers: {
      sql: { builtin: 'sql', root, exclude: ['hidden/'] },
      kept: { builtin: 'sql', root, exclude: ['hidden/'], write: true },
      files: { builtin: 'files', root },
    },
  })
})
afterAll(() => codeMode.close())

async function outcomeOf(program: string): Promise<unknown> {
  const { result, error } = await codeMode.run(program)
  return error === null ? result : error.message
}

describe('a query', () => {
  it('answers with exact values', async () => {
    expect(
      await outcomeOf(`
[row] = sql.query("""SELECT 1.50::DECIMAL(9,2) AS price, 9007199254740993 AS big, 123456789012345678901234567890::HUGEINT AS huge,
  1.0::DOUBLE AS half, 'nan'::DOUBLE AS nothing, DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 10:00:00' AS at,
  [1, 2] AS items, {'a': 1} AS inner_, NULL AS none, true AS yes, 'ü"' AS text, 'ab'::BLOB AS bytes""")
result = repr(row)`),
    ).toBe(
      `{'price': '1.50', 'big': 9007199254740993, 'huge': 123456789012345678901234567890, 'half': 1.0, 'nothing': None, 'day': '2026-01-31', 'at': '2026-01-31 10:00:00', 'items': [1, 2], 'inner_': {'a': 1}, 'none': None, 'yes': True, 'text': 'ü"', 'bytes': 'YWI='}`,
    )
  })

  it('reads files of every kind, several as one table, and joins them', async () => {
    expect(
      await outcomeOf(`
result = [
  sql.query("SELECT customer, sum(price) AS total, count(*) AS n FROM 'orders/*.csv' GROUP BY ALL ORDER BY ALL"),
  sql.query("SELECT o.id, len(c.tags) AS tags FROM 'orders/2025.csv' o JOIN 'customers.json' c ON c.name = o.customer ORDER BY o.id"),
  [str(row["n"]) for row in sql.query("SELECT max(n) AS n FROM 'events.jsonl'")],
  sql.query("SELECT * FROM 'table.tsv'"),
  sql.query("SELECT sum(a)::INT AS s FROM 'packed.csv.gz'"),
]`),
    ).toEqual([
      [
        { customer: 'anna', total: 12.75, n: 2 },
        { customer: 'bo', total: 7, n: 1 },
      ],
      [
        { id: 1, tags: 2 },
        { id: 2, tags: 0 },
      ],
      ['9007199254740993'],
      [{ a: 1, b: 'x' }],
      [{ s: 3 }],
    ])
  })

  it('takes parameters, and rows of the program beside files', async () => {
    expect(
      await outcomeOf(`
prices = [{"customer": row["customer"], "fee": i - 1.5} for i, row in enumerate(files.data("orders/2025.csv"))]
result = [
  sql.query("SELECT id FROM 'orders/*.csv' WHERE customer = $1 AND id > $2", parameters=["anna", 1]),
  sql.query("SELECT $word || '!' AS said", parameters={"word": "x'y"}),
  sql.query("SELECT o.id, p.fee FROM 'orders/2025.csv' o JOIN fees p USING (customer) ORDER BY 1", tables={"fees": prices}),
  sql.query("SELECT 1 AS a, 2 AS a"),
  sql.query("SELECT a - b AS d FROM t", tables={"t": [{"a": 1, "b": 3}]}),
  sql.query("SELECT * FROM range(5) r(n) ORDER BY n DESC -- the last ones", limit=2),
  [row["n"] for row in sql.query("SELECT * FROM range(9000) r(n) ORDER BY n DESC")] == list(range(8999, -1, -1)),
]`),
    ).toEqual([
      [{ id: 3 }],
      [{ said: "x'y!" }],
      [
        { id: 1, fee: -1.5 },
        { id: 2, fee: -0.5 },
      ],
      [{ a: 1, a_1: 2 }],
      [{ d: -2 }],
      [{ n: 4 }, { n: 3 }],
      true,
    ])
  })

  it('is preceded by a look at what there is', async () => {
    expect(await outcomeOf('result = [sql.tables(), sql.describe("orders/*.csv")]')).toEqual([
      ['customers.json', 'events.jsonl', 'orders/2025.csv', 'orders/2026.csv', 'packed.csv.gz', 'table.tsv'],
      [
        { name: 'id', type: 'BIGINT' },
        { name: 'customer', type: 'VARCHAR' },
        { name: 'price', type: 'DOUBLE' },
        { name: 'day', type: 'DATE' },
      ],
    ])
  })
})

/** The words of the failure of a query. */
async function wordsOf(...queries: readonly string[]): Promise<unknown> {
  const given = `queries = json.loads(${JSON.stringify(JSON.stringify(queries))})`
  return outcomeOf(`${given}
said = []
for query in queries:
    try:
        said.append(sql.query(query))
    except Exception as e:
        said.append(str(e))
result = said`)
}

describe('a program is told', () => {
  it('what is wrong with its query, and where', async () => {
    expect(
      await wordsOf(
        'SELECT *\nFROM nothing WHERE (1',
        'selec 1',
        "SELECT nope FROM 'table.tsv'",
        'SELECT * FROM absent',
        "SELECT * FROM 'absent.csv'",
        "SELECT * FROM 'absent/*.csv'",
        "SELECT * FROM 'notes.txt'",
        "SELECT * FROM 'book.xlsx'",
        'SELECT 1; SELECT 2',
        'SELECT $1 AS a',
        "SELECT 'x'::INT AS a",
        'SELECT * FROM range(20000)',
        'SHOW TABLES',
        "SELECT [1.5, 'nan'::DOUBLE] AS items",
        "SELECT repeat('x', 1000) AS text FROM range(5000)",
        'SELECT 1 AS a WHERE false',
      ),
    ).toEqual([
      'syntax error at end of input\nline 2: FROM nothing WHERE (1\n                             ^',
      'syntax error at or near "selec"\nline 1: selec 1\n        ^',
      expect.stringMatching(
        /^Binder Error: Referenced column "nope" not found[\s\S]*LINE 1: SELECT nope FROM 'table\.tsv'\n {15}\^$/,
      ),
      expect.stringMatching(/^Catalog Error: Table with name absent does not exist!/),
      'there is no "absent.csv"',
      'no file matches "absent/*.csv"',
      '"notes.txt" is no table: tables are .csv, .tsv, .json, .jsonl, .ndjson and .parquet files',
      '"book.xlsx" is an Excel file, which can\'t be read here: save it as CSV',
      'pass one query at a time, got 2',
      expect.stringMatching(
        /^Invalid Input Error: Values were not provided for the following prepared statement parameters: 1/,
      ),
      expect.stringMatching(/^Conversion Error: Could not convert string 'x' to INT32/),
      'the query has more than 10000 rows: aggregate or LIMIT them in SQL, or pass limit',
      'use sql.tables() and sql.describe(name) for this',
      'a list or a struct has a number that is not finite, which JSON does not have',
      'the rows have more than 4194304 bytes of text: select fewer',
      [],
    ])
  })

  it('nothing, and a person that the package is missing', async () => {
    await withoutPackage('@duckdb/node-api', () =>
      expect(openBuiltin(settings)).rejects.toThrow(
        'it needs a package that is not installed; run: npm install @duckdb/node-api',
      ),
    )
  })
})

describe('with write', () => {
  it('rows become files of every kind, which are tables', async () => {
    expect(
      await outcomeOf(`
rows = [{"id": 1, "name": 'ü, "x"'}, {"id": 2, "name": None}]
result = []
for ending in ["csv", "tsv", "json", "jsonl", "parquet"]:
    name = "made/all." + ending
    saved = kept.save(name, "SELECT * FROM t ORDER BY id", tables={"t": rows})
    result.append([saved["path"], saved["action"], sql.query("SELECT * FROM '%s' ORDER BY id" % name) == rows])
big = kept.save("big.parquet", "SELECT n, n * 0.5 AS half, 'x' || $1 AS word FROM range(200000) r(n)", parameters=["y"])
result.append(sql.query("SELECT count(*) AS n, sum(half)::DECIMAL(18,1) AS total, max(word) AS word FROM 'big.parquet'"))
result.append([sql.describe("big.parquet"), kept.save("big.parquet", "SELECT 1 AS a")["action"]])`),
    ).toEqual([
      ...['csv', 'tsv', 'json', 'jsonl', 'parquet'].map((ending) => [`made/all.${ending}`, 'created', true]),
      [{ n: 200_000, total: '9999950000.0', word: 'xy' }],
      [
        [
          { name: 'n', type: 'BIGINT' },
          { name: 'half', type: 'DECIMAL(21,1)' },
          { name: 'word', type: 'VARCHAR' },
        ],
        'replaced',
      ],
    ])
  })

  it('nothing else is written', async () => {
    expect(
      await outcomeOf(`
said = []
for path, query in [
    ("../out.csv", "SELECT 1"), ("out/a.csv", "SELECT 1"), ("link.csv", "SELECT 1"), ("a.txt", "SELECT 1"), ("${outside}", "SELECT 1"),
    (".git/a.csv", "SELECT 1"), ("hidden/a.csv", "SELECT 1"), ("a.csv", "DELETE FROM 'table.tsv'"),
    ("a.csv", "SELECT 1) TO '${root}/b.csv' --"), ("a.csv", "SELECT repeat('x', 1000) FROM range(20000)"),
]:
    try:
        said.append(kept.save(path, query))
    except Exception as e:
        said.append(str(e))
said.append(sql.query("SELECT 1 AS a"))
result = said`),
    ).toEqual([
      '"../out.csv" leads out of the root',
      '"out/a.csv" leads out of the root',
      '"link.csv" leads out of the root',
      '"a.txt" must end with .csv, .tsv, .json, .jsonl or .parquet',
      expect.stringContaining('is absolute'),
      '".git/a.csv" can\'t be changed: other programs take their orders from it',
      '"hidden/a.csv" is not for programs',
      'the query must be a SELECT: nothing can be changed',
      expect.stringContaining('syntax error'),
      expect.stringMatching(/^"a\.csv" would have \d+ bytes, more than 12582912$/),
      [{ a: 1 }],
    ])
    expect(existsSync(path.join(root, 'a.csv')) || existsSync(path.join(root, 'b.csv'))).toBe(false)
  })
})

it('artifacts are tables, and what earlier runs have kept', async () => {
  expect(
    await outcomeOf(`
orders = files.artifact("orders/2025.csv")
packed = files.artifact("packed.csv.gz")
result = [
  sql.query("SELECT sum(price) AS total FROM 'orders.csv'", artifacts={"orders.csv": orders}),
  sql.query("SELECT count(*) AS n FROM 'a.csv.gz' JOIN 'orders/2025.csv' ON id = a", artifacts={"a.csv.gz": packed}),
]`),
  ).toEqual([[{ total: 17.5 }], [{ n: 2 }]])
  await codeMode.executeToolCode({ code: 'result = [{"n": i, "text": "x" * 100} for i in range(1000)]' })
  expect(
    await outcomeOf(`
artifacts.save("report.csv", "name,total\\ntea,4.50\\n")
result = [
  sql.query("SELECT total FROM 'report.csv'", artifacts={"report.csv": artifacts.open("report.csv")}),
  sql.query("SELECT sum(n)::INT AS n FROM earlier", tables={"earlier": results.load(results.list()[-1])}),
]`),
  ).toEqual([[{ total: 4.5 }], [{ n: 499_500 }]])
})

describe('results/…', () => {
  const named = 'SELECT count(*) AS n, sum(id)::INT AS s FROM'

  it('is a table without being passed: artifacts of every kind, and the results of runs', async () => {
    await outcomeOf('kept.save("ids.parquet", "SELECT n AS id FROM range(5) r(n)")')
    await codeMode.artifacts.save('ids.parquet', readFileSync(path.join(root, 'ids.parquet')))
    expect(
      await outcomeOf(`
artifacts.save("ids.csv", "id\\n1\\n2\\n")
artifacts.save("ids.json", '[{"id": 7}]')
result = [sql.query("${named} '%s'" % path) for path in ["results/ids.csv", "results/ids.json", "results/ids.parquet"]]
result.append(sql.query("SELECT a.id, b.id AS other, customer FROM 'results/ids.csv' a JOIN 'orders/2025.csv' o USING (id), 'results/ids.json' b ORDER BY 1"))
result.append(sql.describe("results/ids.json"))
result.append(sql.query("SELECT 'results/ids.csv' AS text"))
result.append(sql.query("${named} 'results/ids.csv'", artifacts={"results/ids.csv": "id\\n9\\n"}))
artifacts.save("ids.csv", "id\\n3\\n")
result.append(sql.query("${named} 'results/ids.csv'"))`),
    ).toEqual([
      [{ n: 2, s: 3 }],
      [{ n: 1, s: 7 }],
      [{ n: 5, s: 10 }],
      [
        { id: 1, other: 7, customer: 'anna' },
        { id: 2, other: 7, customer: 'bo' },
      ],
      [{ name: 'id', type: 'BIGINT' }],
      [{ text: 'results/ids.csv' }],
      [{ n: 1, s: 9 }],
      [{ n: 1, s: 3 }],
    ])
    const { text } = await codeMode.executeToolCode({
      code: 'result = [{"id": i, "text": "x" * 100} for i in range(1000)]',
    })
    const [rows] = /results\/run-\d+\.json/.exec(text)!
    expect(await outcomeOf(`result = sql.query("${named} '${rows}'")`)).toEqual([{ n: 1000, s: 499_500 }])
    const { text: other } = await codeMode.executeToolCode({ code: 'result = "x" * 100000' })
    const [texts] = /results\/run-\d+\.json/.exec(other)!
    expect(await outcomeOf(`result = sql.query("${named} '${texts}'")`)).toBe(
      `sql.query failed: "\\"${texts}\\" has no rows: the result of the run is no list"`,
    )
  })

  it('is what its caller kept, and nobody else', async () => {
    const [ann, bo] = ['ann', 'bo'].map((name) => codeMode.session({ name }))
    const query = (path: string) => `result = sql.query("${named} 'results/${path}'")`
    await ann!.artifacts.save('mine.csv', 'id\n1\n')
    await ann!.artifacts.save('orders.csv', 'id\n1\n')
    await bo!.artifacts.save('orders.csv', 'id\n2\n')
    expect((await ann!.run(query('orders.csv'))).result).toEqual([{ n: 1, s: 1 }])
    expect((await bo!.run(query('orders.csv'))).result).toEqual([{ n: 1, s: 2 }])
    const words = async (name: string) => (await bo!.run(query(name))).error?.message
    expect(await Promise.all(['mine.csv', 'ordrs.csv', '*.csv'].map(words))).toEqual([
      'sql.query failed: "there is no \\"results/mine.csv\\""',
      'sql.query failed: "there is no \\"results/ordrs.csv\\" (nearest: \\"results/orders.csv\\")"',
      'sql.query failed: "no file matches \\"results/*.csv\\""',
    ])
  })

  it('is read again by a corrected program if it has changed', async () => {
    const session = codeMode.session({ name: 'cy' })
    const code = `result = sql.query("${named} 'results/n.csv'")\n`
    await session.artifacts.save('n.csv', 'id\n1\n')
    const { runId } = await session.run(`${code}fail("stop")`)
    const again = async () => {
      const { result, calls } = await session.run(code, { reuse: runId })
      return [result, calls[0]!.outcome]
    }
    expect(await again()).toEqual([[{ n: 1, s: 1 }], 'reused'])
    await session.artifacts.save('n.csv', 'id\n2\n')
    expect(await again()).toEqual([[{ n: 1, s: 2 }], 'answered'])
  })
})

describe('no query leads out', () => {
  it('to other files, settings, extensions or networks', async () => {
    const descriptors = Array.from({ length: 3 }, (_, i) => `SELECT * FROM '/proc/self/fd/${20 + i}'`)
    const said = (await wordsOf(
      `SELECT * FROM '${outside}'`,
      "SELECT * FROM '../outside/secret.csv'",
      "SELECT * FROM 'out/secret.csv'",
      "SELECT * FROM 'link.csv'",
      "SELECT * FROM 'out/*.csv'",
      "SELECT * FROM '../outside/*.csv'",
      "SELECT * FROM 'hidden/secret.csv'",
      "SELECT * FROM 'hid*/*.csv'",
      `SELECT * FROM read_csv('${outside}')`,
      `SELECT * FROM read_csv_auto('${outside}')`,
      `SELECT * FROM READ_TEXT('${outside}')`,
      `SELECT * FROM "read_text"('${outside}')`,
      `SELECT * FROM read_blob('${outside}')`,
      `SELECT * FROM sniff_csv('${outside}')`,
      `SELECT * FROM glob('/etc/*')`,
      `SELECT * FROM parquet_metadata('${outside}')`,
      `SELECT * FROM query('SELECT 1')`,
      `SELECT * FROM query_table('${outside}')`,
      `SELECT (SELECT count(*) FROM read_text('${outside}')) AS n`,
      `WITH x AS (SELECT * FROM read_csv('${outside}')) SELECT * FROM x`,
      `SELECT * FROM (SELECT 1) WHERE 1 IN (SELECT 1 FROM read_text('${outside}'))`,
      `SELECT 1 UNION ALL SELECT 1 FROM read_text('${outside}')`,
      `FROM read_text('${outside}')`,
      "SELECT * FROM 'https://example.com/a.csv'",
      "SELECT * FROM 's3://bucket/a.csv'",
      `COPY (SELECT 1) TO '${root}/made.csv'`,
      `COPY (SELECT 1) TO '${outside}'`,
      `ATTACH '${place}/made.db'`,
      "EXPORT DATABASE '/tmp/starbind-made'",
      'INSTALL httpfs',
      'LOAD httpfs',
      'SET enable_external_access = true',
      'RESET enable_external_access',
      "PRAGMA add_parquet_key('a', 'b')",
      'CREATE TABLE t (a INT)',
      `CREATE VIEW v AS SELECT * FROM read_text('${outside}')`,
      'CALL pragma_version()',
      `SELECT 1) AS rows(c0) UNION ALL SELECT content FROM read_text('${outside}') --`,
      `SELECT 1 AS "x) FROM read_text('${outside}') --"`,
      ...descriptors,
    )) as unknown[]
    expect(JSON.stringify(said)).not.toContain(SECRET)
    // The last of those before the descriptors is an odd name of a column, and no more.
    const answered = said.filter((one) => typeof one !== 'string')
    expect(answered).toEqual([[{ [`x) FROM read_text('${outside}') --`]: 1 }]])
  })

  it('or beyond its time, in one value that the database makes at once too', async () => {
    const sql = await openBuiltin(settings)
    const stopping = new AbortController()
    const endless = sql.tools.query!.call(
      { sql: 'SELECT count(*) AS n FROM range(1000000000) a, range(1000000) b' },
      stopping,
    )
    setTimeout(() => stopping.abort(), 50)
    await expect(endless).rejects.toThrow('it was cancelled')
    await sql.close()
    const short = await openBuiltin({ ...settings, timeoutMs: 100 })
    const ask = (query: string) => short.tools.query!.call({ sql: query }, calm)
    for (const query of [
      'SELECT count(*) AS n FROM range(1000000000) a, range(1000000) b',
      "SELECT length(repeat('x', 500000000)) + length(repeat('y', 500000000)) + len(range(30000000)) AS n",
    ])
      await expect(ask(query)).rejects.toThrow('it took longer than 0.1 seconds')
    await short.close()
  })

  it('or beyond its memory, in one value too', async () => {
    const sql = await openBuiltin(settings)
    const ask = (query: string) => sql.tools.query!.call({ sql: query }, calm)
    for (const query of [
      "SELECT length(string_agg(repeat('x', 50000000), '')) AS n FROM range(40)",
      'SELECT len(range(300000000)) AS n',
    ])
      await expect(ask(query)).rejects.toThrow('it needs more than 512MB of memory: read or keep less')
    // The next query has a process again.
    expect(await ask('SELECT 1 AS one')).toEqual({ kind: 'json', json: '[{"one":1}]' })
    await sql.close()
  })
})
