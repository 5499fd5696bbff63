// A morning of a shop, as the interface would tell it: for pictures, and as a beginning for tests of the page.

const start = Date.UTC(2026, 2, 3, 9, 30)
const figures = { calls: 0, failures: 0, medianMs: null, slowMs: null }

const program = `# What did each customer of March leave unpaid, and who should be reminded?
orders = shop.list_orders(month="2026-03", status="open")
customers = {}
for order in orders:
    details = shop.get_order(id=order["id"])
    owed = customers.setdefault(details["customer"], {"orders": 0, "owed": 0.0})
    owed["orders"] += 1
    owed["owed"] += details["total"] - details["paid"]

late = [(name, row) for name, row in customers.items() if row["owed"] > 500]
print(f"{len(orders)} open orders, {len(late)} customers owe more than 500")
for name, row in late:
    mail.draft(to=name, subject="Your open orders", body=f"{row['orders']} orders are open.")

result = [{"customer": name, **row} for name, row in sorted(late, key=lambda pair: -pair[1]["owed"])]
`

/** @returns {import('../../dist/page/interface.js').Call} */
const call = (number, server, tool, startMs, endMs, more = {}) => ({
  number,
  server,
  tool,
  state: 'ok',
  startMs,
  endMs,
  reused: false,
  ahead: false,
  line: null,
  approval: null,
  progress: null,
  bytes: 1840,
  argumentBytes: 24,
  argumentDigest: '9f2c'.repeat(16),
  hasContents: true,
  ...more,
})

/** Reads that run eight abreast, a failure, an answered question, and one call that still goes on. */
function shopCalls() {
  const calls = [call(1, 'shop', 'list_orders', 4, 148, { line: 2, bytes: 18_400 })]
  const free = Array.from({ length: 8 }, () => 152)
  for (let at = 0; at < 26; at++) {
    const lane = free.indexOf(Math.min(...free))
    const from = free[lane] + 2
    const took = 70 + ((at * 37) % 90)
    free[lane] = from + took
    const state = at === 17 ? 'failed' : 'ok'
    calls.push(
      call(at + 2, 'shop', 'get_order', from, from + took, { line: 5, ahead: at > 0, state, bytes: 2200 + at * 31 }),
    )
  }
  const end = Math.max(...free)
  /** @type {import('../../dist/page/interface.js').PageApproval} */
  const approval = { answer: 'run', by: 'anna', reason: null, at: start + end + 620 }
  calls.push(call(28, 'mail', 'draft', end + 8, end + 700, { line: 13, approval, bytes: 90 }))
  calls.push(call(29, 'mail', 'draft', end + 704, end + 790, { line: 13, approval: null, bytes: 90 }))
  calls.push(call(30, 'mail', 'draft', end + 792, end + 866, { line: 13, bytes: 90 }))
  return calls
}

const summary = (runId, more) => ({
  runId,
  owner: 'editor',
  state: 'ok',
  firstLine: 'orders = shop.list_orders(month="2026-03", status="open")',
  language: 'starlark',
  startedAt: start,
  endedAt: start + 1200,
  calls: 30,
  failures: 1,
  bytes: 84_120,
  error: null,
  kept: true,
  ...more,
})

const timeline = shopCalls()
const lastMs = Math.max(...timeline.map(({ endMs }) => endMs))

const shopRun = {
  ...summary('run-41', { endedAt: start + lastMs + 12 }),
  program,
  timeline,
  prints: [{ text: '26 open orders, 3 customers owe more than 500', atMs: 472 }],
  currentLine: null,
  resultJson: JSON.stringify([
    { customer: 'Kestrel & Sons', orders: 9, owed: 2140.5 },
    { customer: 'Maribel Ortiz', orders: 4, owed: 911.2 },
    { customer: 'Northgate Books', orders: 6, owed: 530 },
  ]).replace('530}', '530.0}'),
  resultText: '…',
  report:
    'called shop.list_orders ×1: 144 ms, 18400 bytes\ncalled shop.get_order ×26, 1 failed: 2960 ms, 67275 bytes\ncalled mail.draft ×3: 852 ms, 270 bytes',
  stats: { wallMs: lastMs + 12, compileMs: 6, runMs: lastMs + 4, toolWaitMs: lastMs - 60, memoryBytes: 812_000 },
  seenBytes: 412,
  tokens: { direct: 24_310, seen: 498, isExact: true },
}

const failing = `rows = warehouse.query(sql="select sku, count from stock where count < 10")
by_sku = {row["sku"]: row for row in rows}
for sku in by_sku:
    supplier = warehouse.supplier_of(sku=sku)
    print(sku, supplier["name"], supplier["lead_days"])
`

const failedError = {
  class: 'program error',
  code: 'missing-key',
  message: 'the answer of warehouse.supplier_of has no key "lead_days"; it has "name", "leadDays" and "city"',
  line: 5,
  column: 41,
  hint: 'Write supplier["leadDays"].',
}

const failedRun = {
  ...shopRun,
  ...summary('run-40', {
    state: 'failed',
    owner: 'night-batch',
    firstLine: failing.split('\n')[0],
    startedAt: start - 340_000,
    endedAt: start - 339_600,
    calls: 2,
    failures: 0,
    bytes: 3120,
    error: failedError,
  }),
  program: failing,
  timeline: [
    call(1, 'warehouse', 'query', 3, 210, { line: 1 }),
    call(2, 'warehouse', 'supplier_of', 214, 388, { line: 4 }),
  ],
  prints: [],
  resultJson: null,
  resultText: null,
}

/** @type {import('../../dist/page/interface.js').PageApproval} */
const approval = {
  runId: 'run-42',
  owner: 'assistant',
  program: `stale = [issue for issue in issues.list(state="open") if issue["idle_days"] > 90]
print(len(stale), "stale issues")
for issue in stale:
    issues.comment(number=issue["number"], body="Closing: nothing has happened here for 90 days.")
    issues.close(number=issue["number"], reason="not planned")
`,
  language: 'starlark',
  calls: [
    {
      server: 'issues',
      tool: 'close',
      arguments: { number: 1184, reason: 'not planned', labels: { add: ['stale'], remove: ['needs-triage', 'bug'] } },
      argumentDigest: '1c'.repeat(32),
      line: 5,
      reason: 'approval',
    },
  ],
  canAlsoCall: ['issues.delete_comment'],
  done: [
    { server: 'issues', tool: 'list', ok: true, count: 1 },
    { server: 'issues', tool: 'comment', ok: true, count: 1 },
  ],
  askedAt: start - 50_000,
  expiresAt: start + 86_400_000,
}

const waitingRun = {
  ...shopRun,
  ...summary('run-42', {
    state: 'waiting',
    owner: 'assistant',
    firstLine: 'stale = [issue for issue in issues.list(state="open") if issue["idle_days"] > 90]',
    startedAt: start - 52_000,
    endedAt: null,
    calls: 3,
    failures: 0,
    bytes: 40_210,
  }),
  program: approval.program,
  timeline: [
    call(1, 'issues', 'list', 3, 420, { line: 1, bytes: 40_100 }),
    call(2, 'issues', 'comment', 430, 610, { line: 4, bytes: 110 }),
    call(3, 'issues', 'close', 612, null, { line: 5, state: 'waiting', bytes: 0 }),
  ],
  prints: [{ text: '14 stale issues', atMs: 424 }],
  currentLine: 5,
  resultJson: null,
  resultText: null,
  report: '',
  stats: null,
}

const runs = [
  summary('run-43', {
    state: 'running',
    owner: 'editor',
    firstLine: 'weather = [forecast.at(city=city) for city in cities]',
    startedAt: start - 3_000,
    endedAt: null,
    calls: 12,
    failures: 0,
  }),
  summary('run-42', waitingRun),
  summary('run-41', shopRun),
  summary('run-40', failedRun),
  summary('run-39', {
    owner: 'editor',
    firstLine: 'const files = files.search({ pattern: "TODO" })',
    language: 'javascript',
    startedAt: start - 900_000,
    endedAt: start - 897_000,
    calls: 4,
    failures: 0,
  }),
  summary('run-38', {
    owner: 'night-batch',
    state: 'interrupted',
    firstLine: 'for customer in crm.customers(): crm.refresh(id=customer["id"])',
    startedAt: start - 7_200_000,
    endedAt: null,
    calls: 211,
    failures: 0,
  }),
  summary('run-37', {
    owner: 'night-batch',
    state: 'cancelled',
    firstLine: 'while True: queue.poll()',
    startedAt: start - 9_000_000,
    endedAt: start - 8_980_000,
    calls: 88,
    failures: 0,
  }),
].map(({ runId, owner, state, firstLine, language, startedAt, endedAt, calls, failures, bytes, error, kept }) => ({
  runId,
  owner,
  state,
  firstLine,
  language,
  startedAt,
  endedAt,
  calls,
  failures,
  bytes,
  error,
  kept,
}))

const server = (name, more = {}) => ({
  name,
  state: 'ready',
  reason: '',
  said: '',
  tools: 6,
  setAside: [],
  remarks: [],
  isRemembered: false,
  canLogIn: false,
  figures: { calls: 214, failures: 3, medianMs: 96, slowMs: 310 },
  ...more,
})

const servers = [
  server('shop'),
  server('issues', { tools: 41, figures: { calls: 58, failures: 0, medianMs: 204, slowMs: 480 } }),
  server('mail', { state: 'needs-auth', reason: 'The token of the login has expired.', canLogIn: true, figures }),
  server('warehouse', {
    state: 'failed',
    reason: 'The process ended with status 1, 4 s after it was started. The next attempt is in 20 s.',
    said: 'Error: connect ECONNREFUSED db.internal:5432',
    figures: { calls: 12, failures: 5, medianMs: 410, slowMs: 2900 },
  }),
  server('forecast', { state: 'idle', tools: 2, isRemembered: true, figures }),
  server('crm', { state: 'disabled', tools: 0, reason: 'Disabled in the configuration.', figures }),
]

const tools = [
  [
    'list_orders',
    'def list_orders(month: str, status: Literal["open", "paid"] | None = None) -> list[Order]: ...',
    'Orders of a month.',
  ],
  [
    'get_order',
    'def get_order(id: str, expand: list[str] | None = None) -> OrderDetails: ...',
    'One order with its lines and its customer.',
  ],
  ['set_status', 'def set_status(id: str, status: str) -> None: ...', 'Changes the status of an order.'],
  [
    'search_products',
    'def search_products(query: str, limit: int = 20) -> list[Product]: ...',
    'Products whose name or description has these words.',
  ],
  ['stock', 'def stock(sku: str) -> Stock: ...', 'How many are in the warehouse.'],
  ['refund', 'def refund(id: str, amount: float, reason: str) -> Refund: ...', 'Pays a part of an order back.'],
].map(([name, signature, summary], at) => ({
  name,
  guestName: `shop.${name}`,
  signature,
  summary,
  needsApproval: name === 'set_status' || name === 'refund',
  figures: at === 1 ? { calls: 180, failures: 3, medianMs: 92, slowMs: 305 } : figures,
}))

const minutes = Array.from({ length: 60 }, (_, at) => ({
  at: start + 8000 - (59 - at) * 60_000,
  calls: 1 + ((at * 7) % 9),
  failures: at % 23 === 11 ? 1 : 0,
  meanMs: 70 + ((at * 29) % 60),
  maxMs: 110 + ((at * 53) % 240),
})).filter((_, at) => at % 5 !== 2)

const stub = `class OrderDetails(TypedDict):
    id: str
    customer: str
    total: float
    paid: float
    lines: list[Line]

class Line(TypedDict):
    sku: str
    count: int

def get_order(id: str, expand: list[str] | None = None) -> OrderDetails: ...  # One order with its lines and its customer.
`

const programs = [
  {
    name: 'unpaid',
    file: 'unpaid.star',
    language: 'starlark',
    description: 'What each customer of a month leaves unpaid.',
    inputSchema: {
      type: 'object',
      properties: { month: { type: 'string' }, least: { type: 'number' } },
      required: ['month'],
    },
    problem: null,
  },
  {
    name: 'stale_issues',
    file: 'stale_issues.star',
    language: 'starlark',
    description: 'Issues that nobody has touched for long.',
    inputSchema: { type: 'object' },
    problem: null,
  },
  {
    name: 'restock',
    file: 'restock.js',
    language: 'javascript',
    description: 'Orders what is nearly out of stock.',
    inputSchema: { type: 'object' },
    problem: null,
  },
]

const question = 'Which customers owe more than 500 for March? Draft a friendly reminder for each.'
const reply = `Three customers owe more than **500**:

| customer | orders | owed |
| --- | ---: | ---: |
| Kestrel & Sons | 9 | 2,140.50 |
| Maribel Ortiz | 4 | 911.20 |
| Northgate Books | 6 | 530.00 |

I have put a draft for each of them into your mailbox; nothing was sent. One order (\`A-1046\`) could not be read, so **Maribel Ortiz** may owe a little more.
`

/** @returns {import('../../dist/page/interface.js').ChatCall} */
const chatCall = (callId, parentId, name, more = {}) => ({
  callId,
  parentId,
  name,
  arguments: null,
  state: 'ok',
  text: null,
  ms: 120,
  ...more,
})

const calls = [
  chatCall('c1', null, 'listToolFiles', { arguments: { query: 'orders' }, text: 'servers/shop.pyi  6 tools', ms: 3 }),
  chatCall('c2', null, 'executeToolCode', {
    arguments: { code: program },
    text: '26 open orders, 3 customers owe more than 500\nresult: …',
    ms: 1470,
  }),
  ...timeline
    .slice(0, 6)
    .map(({ number, server, tool, startMs, endMs }) =>
      chatCall(`c2/${number}`, 'c2', `${server}.${tool}`, { ms: endMs - startMs }),
    ),
]

const conversation = {
  conversationId: 'talk-1',
  title: 'Reminders for March',
  model: 'scripted',
  startedAt: start - 60_000,
  changedAt: start - 20_000,
  messageCount: 2,
  instructions: '',
  messages: [
    {
      role: 'user',
      text: question,
      reasoning: null,
      attachments: [{ name: 'terms-of-payment.pdf', mimeType: 'application/pdf', bytes: 48_200 }],
      calls: [],
      at: start - 60_000,
    },
    {
      role: 'assistant',
      text: 'I will look at the open orders first.',
      reasoning: 'Orders are in the shop; drafts are in mail.',
      attachments: [],
      calls,
      at: start - 40_000,
    },
    { role: 'assistant', text: reply, reasoning: null, attachments: [], calls: [], at: start - 20_000 },
  ],
}

const conversations = [
  conversation,
  {
    ...conversation,
    conversationId: 'talk-2',
    title: 'What is nearly out of stock?',
    changedAt: start - 7_200_000,
    messageCount: 6,
  },
  {
    ...conversation,
    conversationId: 'talk-3',
    title: 'Close stale issues',
    changedAt: start - 80_000_000,
    messageCount: 11,
  },
].map(({ messages, instructions, ...summary }) => summary)

/**
 * The answers of the interface, by request. A new record at every call: tests change it.
 * @returns {Record<string, unknown>}
 */
export function story() {
  return structuredClone({
    'GET session': {
      version: '0.1.0',
      name: 'anna',
      token: 'token-of-the-session',
      may: { approve: true, manage: true, save: true, chat: true },
      language: 'starlark',
      models: [{ name: 'scripted', problem: null }],
    },
    'GET openapi.json': {
      paths: { '/runs': {}, '/approvals': {}, '/servers': {}, '/programs': {}, '/conversations': {}, '/tokens': {} },
    },
    'GET runs': { runs, next: null },
    'GET runs/run-43': {
      ...shopRun,
      ...runs[0],
      prints: [],
      timeline: timeline.slice(1, 13).map((one, at) => ({
        ...one,
        number: at + 1,
        startMs: at < 6 ? 10 : 900,
        endMs: at < 6 ? one.endMs : null,
        state: at < 6 ? 'ok' : 'underway',
        server: 'forecast',
        tool: 'at',
        line: 2,
      })),
      currentLine: 2,
      program: 'cities = ["Lisbon", "Tromsø", "Graz"]\nweather = [forecast.at(city=city) for city in cities]\n',
      resultJson: null,
      resultText: null,
      report: '',
      stats: null,
    },
    'GET runs/run-42': waitingRun,
    'GET runs/run-41': shopRun,
    'GET runs/run-40': failedRun,
    'GET runs/run-41/calls/*': {
      arguments: { id: 'A-1029', expand: ['customer', 'lines'] },
      answer:
        '{"id":"A-1029","customer":"Kestrel & Sons","total":420.0,"paid":0,"lines":[{"sku":"lamp-20","count":3},{"sku":"cable-5m","count":1}]}',
      isCut: false,
    },
    'POST runs/run-41/replay': { same: true, difference: null },
    'GET approvals': { approvals: [approval] },
    'GET servers': { servers },
    'GET servers/shop': { ...servers[0], toolList: tools, minutes },
    'GET servers/warehouse': { ...servers[3], toolList: [], minutes: [] },
    'GET servers/shop/tools/get_order': {
      server: 'shop',
      tool: 'get_order',
      stub,
      docs: 'One order with its lines and its customer.\n\nid: the number that the customer knows, such as A-1029.',
      observed: null,
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, expand: { type: 'array', items: { type: 'string' } } },
        required: ['id'],
      },
      figures: { calls: 180, failures: 3, medianMs: 92, slowMs: 305 },
    },
    'GET doctor': {
      ok: false,
      configuration: 'starbind.json',
      remarks: [],
      servers: servers.map(({ name, state, tools, reason }) => ({
        name,
        mark: state === 'failed' || state === 'needs-auth' ? 'bad' : state === 'disabled' ? 'off' : 'ok',
        finding: reason === '' ? `${tools} tools` : reason,
      })),
      programs: programs.map(({ file }) => ({ file, problem: null })),
    },
    'GET programs': { programs },
    'GET programs/unpaid': { ...programs[0], text: program },
    'POST check': {
      ok: true,
      language: 'starlark',
      diagnostics: [],
      reach: ['shop.list_orders', 'shop.get_order', 'mail.draft'],
    },
    'POST completion': { from: 0, options: [] },
    'POST runs': { runId: 'run-41' },
    'GET tokens': {
      servers: [
        { server: 'issues', tools: 41, tokens: 12_904 },
        { server: 'shop', tools: 6, tokens: 1840 },
        { server: 'warehouse', tools: 9, tokens: 2210 },
        { server: 'mail', tools: 14, tokens: 4406 },
        { server: 'forecast', tools: 2, tokens: 380 },
      ],
      direct: 21_740,
      metaTools: 683,
    },
    'GET conversations': { conversations },
    'GET conversations/talk-1': conversation,
  })
}

export { approval, call, chatCall, conversation, figures, server, shopRun, start, summary }
