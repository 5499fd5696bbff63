// The server `sql` over a SQLite file and over Postgres: exact values, read-only unless it may write, and bounds.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Builtin, openBuiltin } from '../../dist/builtin/index.js'
import { CodeMode, readConfiguration } from '../../dist/index.js'
import { folderWith } from './folder.js'
import { openPostgres, whyNoPostgres } from './postgres-server.js'
import { withoutPackage } from './without-package.js'

const require = createRequire(import.meta.url)
const folder = folderWith({ 'other/secret.txt': 'nobody may see this', 'orders.csv': 'id,sku\n1,AB-1\n2,CD-2\n' })
const file = path.join(folder, 'shop.db')
const calm = { signal: new AbortController().signal }
let codeMode: CodeMode

beforeAll(() => {
  const Database = require('libsql') as typeof import('libsql')
  const own = new Database(file)
  own.exec(`CREATE TABLE products (sku TEXT PRIMARY KEY, price REAL, stock INTEGER, photo BLOB);
    INSERT INTO products VALUES ('AB-1', 2.0, 9007199254740993, x'6162'), ('CD-2', 3.5, NULL, NULL);
    CREATE VIEW cheap AS SELECT sku FROM products WHERE price < 3;`)
  own.close()
})
afterAll(() => codeMode.close())

async function outcomeOf(program: string): Promise<unknown> {
  const { result, error } = await codeMode.run(program)
  return error === null ? result : error.message
}

/** The answers, or the words of the failures. */
function said(server: string, tool: string, ...statements: readonly string[]): Promise<unknown> {
  return outcomeOf(`
said = []
for statement in json.loads(${JSON.stringify(JSON.stringify(statements))}):
    try:
        said.append(${server}.${tool}(statement))
    except Exception as e:
        said.append(str(e))
result = said`)
}

describe('SQLite', () => {
  beforeAll(async () => {
    codeMode = await CodeMode.open({
      servers: {
        shop: { builtin: 'sql', url: `sqlite:${file}` },
        desk: { builtin: 'sql', url: `sqlite:${file}`, write: true },
        files: { builtin: 'files', root: folder },
      },
    })
  })

  it('answers with exact values', async () => {
    expect(
      await outcomeOf(`
result = [
  repr(shop.query("SELECT * FROM products ORDER BY sku")),
  shop.query("SELECT sku FROM products WHERE price > $1 AND sku <> $2", parameters=[1, "AB-1"]),
  repr(shop.query("SELECT $low + 1 AS n, $half AS half, $yes AS yes, 1 AS a, 2 AS a", parameters={"low": 2, "half": 0.5, "yes": True})),
  shop.query("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r", limit=3),
  shop.query("SELECT 1e999 AS huge, 1e20 AS big, 'ü' AS text, NULL AS none"),
  shop.tables(), shop.describe("products"),
  sum(row["price"] for row in files.data("orders.csv") for row in shop.query("SELECT price FROM products WHERE sku = $1", parameters=[row["sku"]])),
]`),
    ).toEqual([
      "[{'sku': 'AB-1', 'price': 2.0, 'stock': 9007199254740993, 'photo': 'YWI='}, {'sku': 'CD-2', 'price': 3.5, 'stock': None, 'photo': None}]",
      [{ sku: 'CD-2' }],
      "[{'n': 3, 'half': 0.5, 'yes': 1, 'a': 1, 'a_1': 2}]",
      [{ n: 1 }, { n: 2 }, { n: 3 }],
      [{ huge: null, big: 1e20, text: 'ü', none: null }],
      ['cheap', 'products'],
      [
        { name: 'sku', type: 'TEXT' },
        { name: 'price', type: 'REAL' },
        { name: 'stock', type: 'INTEGER' },
        { name: 'photo', type: 'BLOB' },
      ],
      5.5,
    ])
  })

  it('refuses what it must not do, and says where a mistake is', async () => {
    expect(
      await said(
        'shop',
        'query',
        'SELECT *\nFROM products WHERE selec = (1',
        'SELECT nope\nFROM products',
        'SELECT * FROM absent',
        'SELECT 1; SELECT 2',
        "INSERT INTO products VALUES ('x', 1, 1, NULL)",
        "WITH x AS (SELECT 1) INSERT INTO products SELECT 'x', 1, 1, NULL FROM x",
        'WITH x AS (SELECT 1) DELETE FROM products',
        `ATTACH '${folder}/other.db' AS other`,
        'PRAGMA query_only = OFF',
        'SELECT * FROM pragma_query_only(0)',
        `SELECT load_extension('${folder}/x')`,
        `SELECT readfile('${folder}/other/secret.txt') AS text`,
        `SELECT "ReadFile"('${folder}/other/secret.txt') AS text`,
        `SELECT 1 AS a WHERE (SELECT length(readfile('${folder}/other/secret.txt'))) > 0`,
        `SELECT writefile('${folder}/made.txt', 'x') AS n`,
        `SELECT name FROM fsdir('${folder}')`,
        `SELECT name FROM [FSDIR] WHERE path = '${folder}'`,
        `SELECT name FROM 'fsdir' WHERE path = '${folder}'`,
        'SELECT * FROM sqlite_dbpage',
        "SELECT sqlite3mc_config('cipher', 'rc4') AS a",
        "SELECT value FROM json_each('[1]') -- readfile(fsdir)",
        `VACUUM INTO '${folder}/copy.db'`,
        'SELECT n FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 10001) SELECT n FROM r)',
        'SELECT hex(zeroblob(3000000)) AS text',
        '',
      ),
    ).toEqual([
      expect.stringContaining('incomplete input'),
      'no such column: nope\nline 1: SELECT nope\n               ^',
      'no such table: absent\nline 1: SELECT * FROM absent\n                      ^',
      'pass one statement at a time',
      'the query must be a SELECT: nothing can be changed',
      'the query must be a SELECT',
      'the query must be a SELECT',
      'the query must be a SELECT: nothing can be changed',
      'the query must be a SELECT: nothing can be changed',
      expect.stringContaining('too many arguments on pragma_query_only()'),
      'load_extension is not for programs',
      'readfile is not for programs',
      'readfile is not for programs',
      'readfile is not for programs',
      'writefile is not for programs',
      'fsdir is not for programs',
      'fsdir is not for programs',
      'fsdir is not for programs',
      'sqlite_dbpage is not for programs',
      'sqlite3mc_config is not for programs',
      [{ value: 1 }],
      'the query must be a SELECT: nothing can be changed',
      'the query has more than 10000 rows: aggregate or LIMIT them in SQL, or pass limit',
      'the rows have more than 4194304 bytes of text: select fewer',
      expect.stringContaining('sql'),
    ])
    expect(await said('shop', 'query', 'SELECT count(*) AS n FROM products')).toEqual([[{ n: 2 }]])
    expect(await said('shop', 'describe', 'absent')).toEqual(['there is no table "absent"'])
  })

  it('changes rows where it may, and still nothing else', async () => {
    expect(
      await said(
        'desk',
        'execute',
        "INSERT INTO products VALUES ('EF-3', 1.0, 1, NULL), ('GH-4', 1.0, 1, NULL)",
        "UPDATE products SET stock = 5 WHERE sku = 'EF-3'",
        'CREATE TABLE notes (text TEXT)',
        "DELETE FROM products WHERE sku >= 'EF'",
        "INSERT INTO products VALUES ('AB-1', 1, 1, NULL)",
        `ATTACH '${folder}/other.db' AS other`,
        'PRAGMA journal_mode = WAL',
        `VACUUM INTO '${folder}/copy.db'`,
        'BEGIN',
        'DROP TABLE notes; DROP TABLE products',
        'SELECT 1',
        `CREATE VIEW secret AS SELECT readfile('${folder}/other/secret.txt') AS text`,
        'CREATE VIRTUAL TABLE away USING fsdir',
        `INSERT INTO notes VALUES (readfile('${folder}/other/secret.txt'))`,
      ),
    ).toEqual([
      { rows: 2 },
      { rows: 1 },
      { rows: 0 },
      { rows: 2 },
      expect.stringContaining('UNIQUE constraint failed'),
      'ATTACH is not for programs: sql.query takes a SELECT',
      'PRAGMA is not for programs: sql.query takes a SELECT',
      'VACUUM is not for programs: sql.query takes a SELECT',
      'BEGIN is not for programs: sql.query takes a SELECT',
      'pass one statement at a time',
      'SELECT is not for programs: sql.query takes a SELECT',
      { rows: 0 },
      'fsdir is not for programs',
      'readfile is not for programs',
    ])
    // What was changed is there for others, and a query that has not read all rows locks nothing.
    expect(await said('desk', 'execute', 'CREATE TABLE many AS SELECT value FROM generate_series(1, 500)')).toEqual([
      { rows: 0 },
    ])
    expect(await outcomeOf('result = len(desk.query("SELECT * FROM many", limit=3))')).toBe(3)
    const Database = require('libsql') as typeof import('libsql')
    const other = new Database(file, { timeout: 5000 })
    expect(other.prepare('SELECT count(*) AS n FROM notes').all()).toEqual([{ n: 0 }])
    other.exec("INSERT INTO notes VALUES ('from another process')")
    other.close()
    expect(await said('desk', 'query', 'SELECT * FROM secret')).toEqual([
      expect.stringContaining('unsafe use of readfile()'),
    ])
    expect(
      await said(
        'desk',
        'query',
        'DELETE FROM notes',
        'WITH x AS (SELECT 1) DELETE FROM products',
        'SELECT count(*) AS n FROM notes',
      ),
    ).toEqual([
      'the query must be a SELECT: sql.execute changes the database',
      'the query must be a SELECT',
      [{ n: 1 }],
    ])
  })

  it('ends a query that takes too long, or that nobody waits for, and answers the next', async () => {
    const place = { kind: 'sqlite', file } as const
    const sql = await openBuiltin({ builtin: 'sql', place, shown: 'shop.db', write: false, timeoutMs: 300 })
    const endless = {
      sql: 'SELECT count(*) AS n FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r)',
      parameters: [],
    }
    await expect(sql.tools.query!.call(endless, calm)).rejects.toThrow('it took longer than 0.3 seconds')
    const stopping = new AbortController()
    const cancelled = sql.tools.query!.call(endless, stopping)
    const waiting = sql.tools.tables!.call({}, calm)
    stopping.abort()
    await expect(cancelled).rejects.toThrow('it was cancelled')
    await Promise.all([sql.close(), expect(waiting).rejects.toThrow('it was cancelled')])
    const again = await openBuiltin({ builtin: 'sql', place, shown: 'shop.db', write: false, timeoutMs: 60_000 })
    expect(await again.tools.query!.call({ sql: 'SELECT 1 AS a' }, calm)).toEqual({ kind: 'json', json: '[{"a":1}]' })
    await expect(
      again.tools.query!.call({ sql: 'SELECT length(hex(zeroblob(300000000))) AS n' }, calm),
    ).rejects.toThrow('out of memory')
    await again.close()
  })

  it('without its package, or its file, says so', async () => {
    const settings = { builtin: 'sql', shown: 'x', write: false, timeoutMs: 1000 } as const
    await withoutPackage('libsql', () =>
      expect(openBuiltin({ ...settings, place: { kind: 'sqlite', file } })).rejects.toThrow(
        'it needs a package that is not installed; run: npm install libsql',
      ),
    )
    await withoutPackage('postgres', () =>
      expect(openBuiltin({ ...settings, place: { kind: 'postgres', url: 'postgres://h/x' } })).rejects.toThrow(
        'it needs a package that is not installed; run: npm install postgres',
      ),
    )
    const missing = path.join(folder, 'absent.db')
    await expect(openBuiltin({ ...settings, place: { kind: 'sqlite', file: missing } })).rejects.toThrow(
      `there is no file ${missing}`,
    )
  })
})

describe.skipIf(whyNoPostgres !== undefined)(
  `Postgres${whyNoPostgres === undefined ? '' : ` (left out: ${whyNoPostgres})`}`,
  () => {
    let server: Awaited<ReturnType<typeof openPostgres>>
    let over: CodeMode

    beforeAll(async () => {
      server =
        await openPostgres(`CREATE TABLE products (sku text PRIMARY KEY, price numeric(9,2), stock bigint, since date, photo bytea, tags text[], about jsonb);
      INSERT INTO products VALUES ('AB-1', 2.50, 9007199254740993, '2026-01-31', 'ab', '{a,b}', '{"x": 1.50}'), ('CD-2', NULL, NULL, NULL, NULL, NULL, NULL);
      CREATE SCHEMA inner_; CREATE TABLE inner_.notes (text text);`)
      over = await CodeMode.open({
        servers: {
          shop: { builtin: 'sql', url: server.url },
          desk: { builtin: 'sql', url: server.url, write: true },
        },
      })
      codeMode = over
    })
    afterAll(async () => {
      await over.close()
      await server.close()
    })

    it('answers with exact values', async () => {
      expect(
        await outcomeOf(`
result = [
  repr(shop.query("SELECT * FROM products ORDER BY sku")),
  shop.query("SELECT sku FROM products WHERE sku > $1 AND $2", parameters=["AB-1", True]),
  repr(shop.query("SELECT 1.0::float8 AS half, 'NaN'::float8 AS nothing, 1e20::float8 AS big, 1 AS a, 2 AS a, timestamp '2026-01-31 10:00' AS at, 'ü' AS text")),
  shop.query("SELECT n FROM generate_series(1, 100000) AS s(n) ORDER BY n DESC -- the last", limit=2),
  shop.query("SELECT 1 AS a WHERE false"),
  shop.tables(), shop.describe("inner_.notes"),
]`),
      ).toEqual([
        "[{'sku': 'AB-1', 'price': '2.50', 'stock': 9007199254740993, 'since': '2026-01-31', 'photo': 'YWI=', 'tags': ['a', 'b'], 'about': {'x': 1.5}}, {'sku': 'CD-2', 'price': None, 'stock': None, 'since': None, 'photo': None, 'tags': None, 'about': None}]",
        [{ sku: 'CD-2' }],
        "[{'half': 1.0, 'nothing': None, 'big': 1e+20, 'a': 1, 'a_1': 2, 'at': '2026-01-31 10:00:00', 'text': 'ü'}]",
        [{ n: 100_000 }, { n: 99_999 }],
        [],
        ['inner_.notes', 'products'],
        [{ name: 'text', type: 'text' }],
      ])
    })

    it('refuses what it must not do, and says where a mistake is', async () => {
      expect(
        await said(
          'shop',
          'query',
          'SELECT *\nFROM products WHERE selec = (1',
          'SELECT nope\nFROM products',
          'SELECT 1; SELECT 2',
          "INSERT INTO products VALUES ('x')",
          "WITH x AS (INSERT INTO products VALUES ('x') RETURNING 1) SELECT * FROM x",
          "SELECT set_config('transaction_read_only', 'off', false) AS a, nextval('absent')",
          'SELECT 1) AS q(c0) LIMIT 1; DELETE FROM products --',
          'SELECT n FROM generate_series(1, 10001) AS s(n)',
          "SELECT repeat('x', 1000) AS text FROM generate_series(1, 5000)",
          'SELECT $1::int AS a',
        ),
      ).toEqual([
        'syntax error at end of input\nline 2: FROM products WHERE selec = (1\n                                      ^',
        'column "nope" does not exist\nline 1: SELECT nope\n               ^',
        'pass one statement at a time',
        'the query must be a SELECT: nothing can be changed',
        expect.stringMatching(/read-only transaction|data-modifying/),
        expect.stringMatching(/does not exist|read-write mode/),
        'pass one statement at a time',
        'the query has more than 10000 rows: aggregate or LIMIT them in SQL, or pass limit',
        'the rows have more than 4194304 bytes of text: select fewer',
        expect.stringMatching(/parameter|bind message/),
      ])
      expect(await said('shop', 'query', 'SELECT count(*)::int AS n FROM products')).toEqual([[{ n: 2 }]])
    })

    it('ends a statement that takes too long, or that nobody waits for, in the server, too', async () => {
      const place = { kind: 'postgres', url: server.url } as const
      const [short, long] = await Promise.all(
        [200, 60_000].map((timeoutMs) => openBuiltin({ builtin: 'sql', place, shown: 'x', write: false, timeoutMs })),
      )
      const asleep = (tool: Builtin, signal: AbortSignal) =>
        tool.tools.query!.call({ sql: 'SELECT pg_sleep(600)::text AS a' }, { signal })
      await expect(asleep(short!, calm.signal)).rejects.toThrow('it took longer than 0.2 seconds')
      const stopping = new AbortController()
      const cancelled = asleep(long!, stopping.signal)
      const sleepers =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()"
      const waitFor = async (n: number) => {
        while (JSON.stringify(await said('shop', 'query', sleepers)) !== JSON.stringify([[{ n }]]))
          await new Promise(setImmediate)
      }
      await waitFor(1)
      stopping.abort()
      await expect(cancelled).rejects.toThrow('it was cancelled')
      await waitFor(0)
      await Promise.all([short!.close(), long!.close()])
    })

    it('that can’t be reached says so, without the password', async () => {
      const place = { kind: 'postgres', url: 'postgres://shop:hunter2@127.0.0.1:1/x' } as const
      await expect(openBuiltin({ builtin: 'sql', place, shown: 'x', write: false, timeoutMs: 5000 })).rejects.toThrow(
        'the database refuses the connection',
      )
    })

    it('changes rows where it may', async () => {
      expect(
        await said(
          'desk',
          'execute',
          "INSERT INTO products (sku) VALUES ('EF-3'), ('GH-4')",
          "DELETE FROM products WHERE sku >= 'EF'",
          'DELETE FROM absent',
          'SELECT 1; SELECT 2',
        ),
      ).toEqual([
        { rows: 2 },
        { rows: 2 },
        'relation "absent" does not exist\nline 1: DELETE FROM absent\n                    ^',
        expect.stringContaining('cannot insert multiple commands'),
      ])
      expect(await said('desk', 'query', 'DELETE FROM products RETURNING sku')).toEqual([
        'the query must be a SELECT: sql.execute changes the database',
      ])
    })
  },
)

it('an entry has a folder or a database', () => {
  const own = path.join(folder, 'own.json')
  const faultsOf = (entry: object): string => {
    writeFileSync(own, JSON.stringify({ mcpServers: { sql: entry } }))
    const { connection } = readConfiguration(own).servers[0]!
    return connection.type === 'unusable'
      ? connection.faults.map(({ message }) => message).join('\n')
      : JSON.stringify(connection)
  }
  expect(faultsOf({ builtin: 'sql' })).toContain('want root: the folder that it works in, or url: a database')
  expect(faultsOf({ builtin: 'sql', url: 'mysql://h/x' })).toContain(
    'want a URL such as "sqlite:shop.db" or "postgres://user@host/shop"',
  )
  expect(faultsOf({ builtin: 'sql', url: 'sqlite:shop.db', root: '.' })).toContain(
    'want either root, a folder, or url, a database',
  )
  expect(faultsOf({ builtin: 'sql', url: 'sqlite:shop.db' })).toContain(JSON.stringify(file))
})
