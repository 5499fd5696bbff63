/* A tiny text editor with undo and redo, used to edit files on the server safely. */
class Buffer_ {
  #lines;
  #undo = [];
  #redo = [];

  constructor(path, text) {
    this.path = path;
    this.original = text;
    this.#lines = text.split('\n');
  }

  get text() {
    return this.#lines.join('\n');
  }

  get dirty() {
    return this.text !== this.original;
  }

  get depth() {
    return [this.#undo.length, this.#redo.length];
  }

  /** Replace `count` lines from `at` by `lines`; answers with the inverse operation. */
  #splice({ at, count, lines }) {
    const removed = this.#lines.splice(at, count, ...lines);
    return { at, count: lines.length, lines: removed };
  }

  apply(op, label = 'edit') {
    const group = this.open ?? [];
    group.push(this.#splice(op));
    if (!this.open) {
      this.#undo.push({ label, group });
      this.#redo.length = 0;
    }
    return this;
  }

  transaction(label, work) {
    if (this.open) return work(this);
    this.open = [];
    try {
      work(this);
      if (this.open.length) {
        this.#undo.push({ label, group: this.open });
        this.#redo = [];
      }
    } catch (error) {
      for (const op of this.open.reverse()) this.#splice(op);
      throw Object.assign(new Error(`${label} in ${this.path} failed`, { cause: error }), { label });
    } finally {
      this.open = null;
    }
    return this;
  }

  #travel(from, to) {
    const step = from.pop();
    if (!step) return null;
    const inverse = [];
    for (const op of [...step.group].reverse()) inverse.push(this.#splice(op));
    to.push({ label: step.label, group: inverse });
    return step.label;
  }

  undo() {
    return this.#travel(this.#undo, this.#redo);
  }

  redo() {
    return this.#travel(this.#redo, this.#undo);
  }

  find(pattern) {
    const i = this.#lines.findIndex((l) => (pattern instanceof RegExp ? pattern.test(l) : l.includes(pattern)));
    if (i < 0) throw new RangeError(`no line matches ${pattern}`);
    return i;
  }

  replace(pattern, by) {
    const at = this.find(pattern);
    return this.apply({ at, count: 1, lines: [this.#lines[at].replace(pattern, by)] }, `replace ${pattern}`);
  }

  insertAfter(pattern, ...lines) {
    return this.apply({ at: this.find(pattern) + 1, count: 0, lines }, `insert ${lines.length}`);
  }

  *[Symbol.iterator]() {
    for (const [i, line] of this.#lines.entries()) yield { number: i + 1, line };
  }
}

const load = async (path) => new Buffer_(path, (await server_filesystem.read_text_file({ path })).content);
const [compose, env, readme] = await Promise.all(['/app/compose.yaml', '/app/.env', '/app/README.md'].map(load));

const journal = [];
const attempt = (buffer, label, work) => {
  try {
    buffer.transaction(label, work);
    journal.push(`ok: ${label}`);
  } catch (e) {
    journal.push(`failed: ${e.message} (${e.cause.message})`);
  }
};

attempt(compose, 'upgrade postgres', (b) => b.replace(/postgres:\d+/, 'postgres:16').insertAfter('postgres:16', '    shm_size: 256mb'));
attempt(compose, 'add cache', (b) => b.insertAfter(/^services:/, '  cache:', '    image: redis:7').replace('no such service', ''));
attempt(env, 'rotate settings', (b) => {
  b.replace(/^POOL=.*/, 'POOL=20').replace(/^LOCALE=.*/, 'LOCALE=pt_PT.UTF-8');
  b.insertAfter(/^POOL/, '# größer seit 2024');
});
attempt(readme, 'mention redis', (b) => b.replace('Postgres 15', 'Postgres 16'));
readme.replace(/^# .*/, (title) => title.toUpperCase());
journal.push(`undone: ${readme.undo()}`, `undone: ${readme.undo()}`, `undone: ${readme.undo()}`, `redone: ${readme.redo()}`);
env.undo();
env.redo();

journal.forEach((line) => console.log(line));
const written = {};
for (const buffer of [compose, env, readme]) {
  console.log(`\n${buffer.path} ${buffer.dirty ? '(changed)' : ''} undo/redo ${buffer.depth}`);
  for (const { number, line } of buffer) console.log(`${String(number).padStart(3)} | ${line}`);
  if (!buffer.dirty) continue;
  const preview = await server_filesystem.edit_file({ path: buffer.path, edits: [{ oldText: buffer.original, newText: buffer.text }], dryRun: true });
  written[buffer.path] = preview.content.match(/^[+-](?![+-])/gm)?.length ?? 0;
}
return { journal, written, depths: [compose, env, readme].map((b) => b.depth) };
