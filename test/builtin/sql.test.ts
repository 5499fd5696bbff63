// The server `sql`, from programs: exact values, tables of every kind, and no way out.

import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBuiltin } from '../../dist/builtin/index.js'
import { CodeMode, readConfiguration } from '../../dist/index.js'
import { folderWith } from './folder.js'

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
let codeMode: CodeMode

beforeAll(async () => {
  symlinkSync('../outside', path.join(root, 'out'))
  symlinkSync('../outside/secret.csv', path.join(root, 'link.csv'))
  codeMode = await CodeMode.open({
    servers: { sql: { builtin: 'sql', root, exclude: ['hidden/'] }, files: { builtin: 'files', root } },
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

  it('that the package is missing, that a key is not for it', () => {
    const file = path.join(place, 'own.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { sql: { builtin: 'sql', root: '.', write: true } } }))
    const { connection } = readConfiguration(file).servers[0]!
    expect(connection.type === 'unusable' && connection.faults[0]?.message).toMatch(
      /write: got true, want no such key for sql, which only reads/,
    )
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

  it('or beyond its time', async () => {
    const sql = await openBuiltin({ builtin: 'sql', root, exclude: [], unwritable: [] })
    const stopping = new AbortController()
    const endless = sql.tools.query!.call(
      { sql: 'SELECT count(*) AS n FROM range(1000000000) a, range(1000000) b' },
      stopping,
    )
    setTimeout(() => stopping.abort(), 50)
    await expect(endless).rejects.toThrow('it was cancelled')
    await sql.close()
  })
})
