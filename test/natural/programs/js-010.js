// Audit of token balances: everything in wei, so everything is a BigInt.
const DECIMALS = 18n;
const ONE = 10n ** DECIMALS;

const abs = (n) => (n < 0n ? -n : n);
const bigSum = (list) => list.reduce((a, b) => a + b, 0n);
const bigMax = (...list) => list.reduce((a, b) => (b > a ? b : a));

function format(wei, digits = 6) {
  const sign = wei < 0n ? '-' : '';
  const scale = 10n ** (DECIMALS - BigInt(digits));
  const rounded = (abs(wei) + scale / 2n) / scale;
  const unit = 10n ** BigInt(digits);
  return `${sign}${(rounded / unit).toLocaleString('en-US')}.${(rounded % unit).toString().padStart(digits, '0')}`;
}

function parse(text) {
  const m = /^(?<sign>-?)(?<whole>\d[\d_]*)(?:\.(?<frac>\d{1,18}))?(?:\s*(?<unit>eth|gwei|wei))?$/i.exec(String(text).trim());
  if (!m) throw new SyntaxError(`cannot read ${JSON.stringify(text)}`);
  const { sign, whole, frac = '', unit = 'wei' } = m.groups;
  const exponent = { wei: 0, gwei: 9, eth: 18 }[unit.toLowerCase()];
  if (frac.length > exponent) throw new RangeError(`${text} has a fraction of a wei`);
  const value = BigInt(whole.replaceAll('_', '')) * 10n ** BigInt(exponent) + BigInt(frac.padEnd(exponent, '0') || 0);
  return sign ? -value : value;
}

// 64 bit FNV-1a over the UTF-8 bytes, to compare with the checksum column
function fnv1a(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash ^= BigInt(byte);
    hash = BigInt.asUintN(64, hash * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

const accounts = postgres_reference.query({ sql: 'SELECT address, label, opening, closing FROM accounts ORDER BY address' });
const transfers = [];
let last = 0;
while (true) {
  const { documents } = mongodb.find({
    connectionId: 'chain', database: 'audit', collection: 'transfers',
    filter: { block: { $gt: last } }, sort: { block: 1 }, limit: 20,
  });
  if (!documents.length) break;
  transfers.push(...documents);
  last = documents.at(-1).block;
}

const balance = new Map(accounts.map((a) => [a.address, parse(a.opening)]));
const problems = [];
const fees = [];
for (const t of transfers) {
  const expected = fnv1a(`${t.block}:${t.from}:${t.to}:${t.value}`);
  if (t.checksum && t.checksum !== expected) problems.push(`block ${t.block}: checksum ${t.checksum}, computed ${expected}`);
  let value, fee;
  try {
    value = parse(t.value);
    fee = parse(t.fee ?? '0');
  } catch (e) {
    problems.push(`block ${t.block}: ${e.name}: ${e.message}`);
    continue;
  }
  fees.push(fee);
  for (const [who, delta] of [[t.from, -value - fee], [t.to, value]]) {
    if (!balance.has(who)) {
      problems.push(`block ${t.block}: unknown account ${who}`);
      balance.set(who, 0n);
    }
    const after = balance.get(who) + delta;
    if (after < 0n && who !== 'mint') problems.push(`block ${t.block}: ${who} would go to ${format(after)}`);
    balance.set(who, after);
  }
}

console.log(`${transfers.length} transfers up to block ${last}`);
let differences = 0n;
for (const { address, label, closing } of accounts) {
  const computed = balance.get(address);
  const claimed = parse(closing);
  const diff = computed - claimed;
  differences += abs(diff);
  console.log(`${address.padEnd(10)} ${(label ?? '').padEnd(14)} ${format(computed).padStart(20)} ${diff === 0n ? '✓' : `off by ${format(diff, 18)}`}`);
}

const total = bigSum([...balance.values()]);
const held = accounts.map(({ address }) => balance.get(address)).filter((b) => b > 0n);
const largest = bigMax(...held);
const basisPoints = (largest * 10_000n) / bigSum(held);
const average = bigSum(fees) / BigInt(fees.length);
console.log(`supply ${format(total)}, largest holder ${Number(basisPoints) / 100}%, average fee ${average} wei (${Number(average) / Number(ONE)} ETH)`);

// integer square root by Newton's method, for the quadratic voting weight
function isqrt(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}
const votes = Object.fromEntries(accounts.filter((a) => balance.get(a.address) > 0n).map((a) => [a.label ?? a.address, isqrt(balance.get(a.address) / ONE).toString()]));
console.log('votes', votes);
problems.forEach((p) => console.log('!', p));

const result = {
  supply: total.toString(),
  differences: differences.toString(),
  basisPoints: Number(basisPoints),
  votes,
  problems: problems.length,
  hex: `0x${largest.toString(16)}`,
  even: held.filter((b) => (b & 1n) === 0n).length,
};
