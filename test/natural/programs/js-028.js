// Plan and apply database migrations, with checksums and a dry parse of every statement.
const DIR = '/db/migrations';

const checksum = (text) => {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text.replace(/\r\n/g, '\n'))) {
    h ^= byte;
    h = Math.imul(h, 0x01000193) >>> 0;
  }
  return h.toString(16).padStart(8, '0');
};

/** Split a script into statements, respecting strings, comments and $$ blocks. */
function statements(sql) {
  const out = [];
  let current = '';
  let i = 0;
  while (i < sql.length) {
    const rest = sql.slice(i);
    const skip = /^(?:'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$)/.exec(rest);
    const comment = /^(?:--[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest);
    if (comment) i += comment[0].length;
    else if (skip) {
      current += skip[0];
      i += skip[0].length;
    } else if (sql[i] === ';') {
      out.push(current);
      current = '';
      i++;
    } else current += sql[i++];
  }
  out.push(current);
  return out.map((s) => s.trim().replace(/\s+/g, ' ')).filter(Boolean);
}

const listing = await server_filesystem.list_directory({ path: DIR });
const files = listing.content
  .split('\n')
  .map((l) => /^\[FILE\] (?<file>(?<number>\d{4})_(?<name>[\w-]+)\.sql)$/.exec(l)?.groups)
  .filter(Boolean)
  .map(({ file, number, name }) => ({ file, number: Number(number), name }))
  .sort((a, b) => a.number - b.number);

const applied = new Map((await sqlite_npx.read_query({ query: 'SELECT number, name, checksum FROM schema_migrations ORDER BY number' })).map((r) => [r.number, r]));
const tables = new Set((await sqlite_npx.list_tables({})).map((t) => t.name));

const warnings = [];
const pending = [];
let expected = 1;
for (const { file, number, name } of files) {
  if (number !== expected) warnings.push(number < expected ? `duplicate number ${number} (${name})` : `gap before ${number}`);
  expected = number + 1;
  const { content } = await server_filesystem.read_text_file({ path: `${DIR}/${file}` });
  const sum = checksum(content);
  const done = applied.get(number);
  if (done && done.checksum !== sum) warnings.push(`${file} changed after it was applied (${done.checksum} → ${sum})`);
  if (!done) pending.push({ file, number, name, sum, statements: statements(content) });
}
for (const [number, { name }] of applied) {
  if (!files.some((f) => f.number === number)) warnings.push(`applied migration ${number} (${name}) has no file`);
}

const log = [];
let failed = null;
outer: for (const m of pending) {
  console.log(`${m.file} (${m.statements.length} statement${m.statements.length === 1 ? '' : 's'})`);
  for (const sql of m.statements) {
    const [, verb, object = ''] = /^(\w+(?:\s+(?:TABLE|INDEX|VIEW|UNIQUE INDEX|INTO))?)\s+(?:IF (?:NOT )?EXISTS\s+)?["`]?(\w+)?/i.exec(sql) ?? [];
    const kind = verb?.toUpperCase();
    try {
      switch (kind) {
        case 'CREATE TABLE':
          if (tables.has(object) && !/IF NOT EXISTS/i.test(sql)) throw new Error(`table ${object} already exists`);
          await sqlite_npx.create_table({ query: sql });
          tables.add(object);
          break;
        case 'DROP TABLE':
        case 'ALTER TABLE':
          if (!tables.has(object)) throw new Error(`table ${object} does not exist`);
        // falls through
        case 'INSERT INTO':
        case 'UPDATE':
        case 'CREATE INDEX': {
          const { affected_rows: n = 0 } = (await sqlite_npx.write_query({ query: sql })) ?? {};
          log.push(`${m.number}: ${kind} ${object}${n ? ` (${n})` : ''}`);
          if (kind === 'DROP TABLE') tables.delete(object);
          break;
        }
        default:
          throw new Error(`unsupported statement ${kind ?? sql.slice(0, 20)}`);
      }
    } catch (e) {
      failed = { migration: m.file, error: e.message, sql: sql.length > 60 ? `${sql.slice(0, 57)}...` : sql };
      break outer;
    }
  }
  await sqlite_npx.write_query({ query: `INSERT INTO schema_migrations (number, name, checksum) VALUES (${m.number}, '${m.name}', '${m.sum}')` });
  log.push(`${m.number}: applied`);
}
log.forEach((l) => console.log('  ', l));
if (failed) console.log(`FAILED ${failed.migration}: ${failed.error}\n    ${failed.sql}`);
warnings.forEach((w) => console.log('warning:', w));
return { pending: pending.map((p) => `${p.number}:${p.sum}`), log: log.length, failed, warnings, tables: [...tables].sort() };
