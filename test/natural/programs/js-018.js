// Schema combinators in the style of zod, to find bad documents before a migration.
class Issue {
  constructor(path, message) {
    this.path = path;
    this.message = message;
  }
  toString() {
    return `${this.path.map((p, i) => (typeof p === 'number' ? `[${p}]` : i ? `.${p}` : p)).join('') || '(document)'}: ${this.message}`;
  }
}

const show = (v) => (v === undefined ? 'undefined' : JSON.stringify(v));
const typeName = (v) => (v === null ? 'null' : Array.isArray(v) ? 'array' : typeof v);

// a schema is a function (value, path, issues) => parsed value, with methods on it
function schema(parse) {
  const self = (value, path = [], issues = []) => parse(value, path, issues);
  return Object.assign(self, {
    optional: () => schema((v, p, i) => (v === undefined ? undefined : self(v, p, i))),
    nullable: () => schema((v, p, i) => (v === null ? null : self(v, p, i))),
    default: (fallback) => schema((v, p, i) => (v === undefined || v === null ? structuredClone(fallback) : self(v, p, i))),
    refine: (test, message) =>
      schema((v, p, i) => {
        const before = i.length;
        const out = self(v, p, i);
        if (i.length === before && !test(out)) i.push(new Issue(p, typeof message === 'function' ? message(out) : message));
        return out;
      }),
    transform: (fn) =>
      schema((v, p, i) => {
        const before = i.length;
        const out = self(v, p, i);
        return i.length === before ? fn(out) : out;
      }),
    safeParse(value) {
      const issues = [];
      const data = self(value, [], issues);
      return issues.length ? { success: false, issues } : { success: true, data };
    },
  });
}

const primitive = (name) => schema((v, p, i) => {
  if (typeName(v) !== name || Number.isNaN(v)) i.push(new Issue(p, `expected ${name}, got ${show(v)}`));
  return v;
});

const z = {
  string: () => primitive('string'),
  number: () => primitive('number'),
  boolean: () => primitive('boolean'),
  literal: (...allowed) => schema((v, p, i) => {
    if (!allowed.includes(v)) i.push(new Issue(p, `${show(v)} is not one of ${allowed.map(show).join(' | ')}`));
    return v;
  }),
  array: (of) => schema((v, p, i) => {
    if (!Array.isArray(v)) {
      i.push(new Issue(p, `expected array, got ${typeName(v)}`));
      return v;
    }
    return v.map((x, n) => of(x, [...p, n], i));
  }),
  object: (shape, { strict = false } = {}) => schema((v, p, i) => {
    if (typeName(v) !== 'object') {
      i.push(new Issue(p, `expected object, got ${typeName(v)}`));
      return v;
    }
    const out = {};
    for (const [key, sub] of Object.entries(shape)) {
      const value = sub(v[key], [...p, key], i);
      if (value !== undefined) out[key] = value;
    }
    const extra = Object.keys(v).filter((k) => !(k in shape));
    if (strict && extra.length) i.push(new Issue(p, `unknown keys ${extra.join(', ')}`));
    return out;
  }),
  union: (...options) => schema((v, p, i) => {
    const failures = [];
    for (const option of options) {
      const own = [];
      const out = option(v, p, own);
      if (!own.length) return out;
      failures.push(own);
    }
    i.push(...failures.sort((a, b) => a.length - b.length)[0]);
    return v;
  }),
};

const isoDate = z.string().refine((s) => /^\d{4}-\d{2}-\d{2}$/.test(s) && !Number.isNaN(Date.parse(s)), (s) => `${show(s)} is not a date`).transform((s) => new Date(`${s}T00:00:00Z`));
const country = z.string().transform((s) => s.trim().toUpperCase()).refine((s) => /^[A-Z]{2}$/.test(s), 'must be a two letter code');
const address = z.object({ city: z.string().refine((s) => s.trim().length > 0, 'is empty'), country, lines: z.array(z.string()).default([]) }, { strict: true });
const payment = z.union(
  z.object({ kind: z.literal('card'), last4: z.string().refine((s) => /^\d{4}$/.test(s), 'must be four digits') }),
  z.object({ kind: z.literal('sepa'), iban: z.string().refine((s) => /^[A-Z]{2}\d{2}/.test(s), 'is not an IBAN') }),
);
const order = z.object({
  _id: z.string(),
  placed: isoDate,
  total: z.union(z.number(), z.string().transform(Number).refine(Number.isFinite, 'is not numeric')),
  address,
  payment: payment.nullable(),
  gift: z.boolean().optional(),
  tags: z.array(z.literal('vip', 'b2b', 'express')).default(['none']),
}).refine((o) => o.total >= 0 || o.tags.includes('b2b'), 'negative total outside b2b');

const { documents } = await mongodb.find({ connectionId: 'm1', database: 'shop', collection: 'orders', filter: { schema: 1 }, limit: 200 });
const good = [];
const bad = new Map();
for (const doc of documents) {
  const outcome = order.safeParse(doc);
  if (outcome.success) good.push(outcome.data);
  else bad.set(doc?._id ?? '?', outcome.issues);
}
console.log(`${good.length} good, ${bad.size} bad`);
for (const [id, issues] of bad) console.log(`${id}\n${issues.map((i) => `   ${i}`).join('\n')}`);
const months = good.reduce((acc, { placed, total }) => {
  const key = placed.toLocaleDateString('en-US', { year: 'numeric', month: 'short', timeZone: 'UTC' });
  acc[key] = Math.round(((acc[key] ?? 0) + total) * 100) / 100;
  return acc;
}, {});
console.log(months);
const updated = await mongodb.update_many({ connectionId: 'm1', database: 'shop', collection: 'orders', filter: { _id: { $in: good.map((o) => o._id) } }, update: { $set: { schema: 2 } } });
const result = { good: good.length, bad: [...bad.keys()], months, modified: updated.modifiedCount, sample: good.find((o) => o.payment === null) ?? null };
