// Replay the order events of a day through a state machine written as generators.
const States = Object.freeze({
  *draft() {
    for (;;) {
      const { type } = yield;
      if (type === 'submit') return 'pending';
      if (type === 'cancel') return 'cancelled';
      throw new TypeError(type);
    }
  },
  *pending(order) {
    let paid = order.paid;
    while (paid < order.total) {
      const { type, amount = 0 } = yield `missing ${(order.total - paid) / 100}`;
      switch (type) {
        case 'pay':
          paid += amount;
          order.paid = paid;
          break;
        case 'cancel':
          return order.paid ? 'refunding' : 'cancelled';
        case 'remind':
          order.reminders = (order.reminders ?? 0) + 1;
          if (order.reminders > 2) return 'expired';
          break;
        default:
          throw new TypeError(type);
      }
    }
    order.change = paid - order.total;
    return 'packing';
  },
  *packing(order) {
    const waiting = new Set(order.lines);
    while (waiting.size) {
      const { type, sku } = yield `waiting for ${[...waiting].join(', ')}`;
      if (type === 'picked') waiting.delete(sku);
      else if (type === 'cancel') return 'refunding';
      else throw new TypeError(type);
    }
    return 'ready';
  },
  *ready(order) {
    const { type, carrier } = yield;
    if (type !== 'ship') throw new TypeError(type);
    order.carrier = carrier ?? 'post';
    return 'shipped';
  },
  *refunding(order) {
    const { type, amount } = yield `refund ${order.paid / 100}`;
    if (type !== 'refund' || amount !== order.paid) throw new RangeError(`refund of ${amount}`);
    order.paid = 0;
    return 'cancelled';
  },
});
const FINAL = new Set(['cancelled', 'expired', 'shipped']);

class Machine {
  constructor(order) {
    this.order = { paid: 0, ...order };
    this.trail = [];
    this.errors = [];
    this.#enter('draft');
  }

  #enter(state) {
    this.state = state;
    this.trail.push(state);
    this.hint = undefined;
    if (FINAL.has(state)) return;
    this.run = States[state](this.order);
    this.#advance(undefined);
  }

  #advance(event) {
    const { value, done } = this.run.next(event);
    if (done) this.#enter(value);
    else this.hint = value;
  }

  send(event) {
    if (FINAL.has(this.state)) {
      this.errors.push(`${event.type} after ${this.state}`);
      return this;
    }
    try {
      this.#advance(event);
    } catch (e) {
      this.errors.push(e instanceof RangeError ? e.message : `${e.message} not allowed in ${this.state}`);
      // the generator is dead now: start the same state again
      this.trail.pop();
      this.#enter(this.state);
    }
    return this;
  }
}

const orders = postgres_reference.query({ sql: "SELECT number, total, lines FROM orders WHERE day = '2024-11-29'" });
const machines = new Map(orders.map((o) => [o.number, new Machine({ ...o, lines: o.lines ?? [] })]));
const orphans = [];
for (let after = 0; ; ) {
  const events = sqlite_npx.read_query({ query: `SELECT id, order_number, type, payload FROM events WHERE id > ${after} ORDER BY id LIMIT 30` });
  for (const { order_number: n, type, payload } of events) {
    const machine = machines.get(n);
    if (!machine) orphans.push(n);
    machine?.send({ ...JSON.parse(payload ?? '{}'), type });
  }
  if (events.length < 30) break;
  after = events.at(-1).id;
}

const tally = {};
for (const [number, m] of machines) {
  tally[m.state] = (tally[m.state] ?? 0) + 1;
  console.log(`${number} ${m.trail.join(' → ')}${m.hint ? ` (${m.hint})` : ''}`);
  for (const e of m.errors) console.log(`       ! ${e}`);
}
console.log(tally, 'orphans:', [...new Set(orphans)]);
return { tally, orphans: orphans.length, errors: [...machines.values()].flatMap((m) => m.errors).length, change: [...machines].filter(([, m]) => m.order.change).map(([n, m]) => [n, m.order.change]) };
