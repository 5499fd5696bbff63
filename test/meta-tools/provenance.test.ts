// Whether a model may see a part of a message is decided by where it came from. Values that came out of a tool are put
// into every place of every message that the library has, and none of them is in an answer; what the model has already,
// and our own words, are.

import { afterAll, describe, expect, it } from 'vitest'
import { withheld } from '../../dist/diagnostics/index.js'
import { builtinWords } from '../../dist/interpreter/stages.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { amount, random } from '../random.js'
import { bench, text } from './bench.js'
import { type Ended, endsOf, MARK, programs, strictPrograms } from './every-call.js'

const sandbox = openSandbox({
  limits: { wallMs: 600_000, cpuMs: 300_000, memoryBytes: 512 * 2 ** 20, printedBytes: 16 * 2 ** 20 },
})
afterAll(() => sandbox.close())

describe('every function and method, called with marked values', () => {
  const every = amount(64, 1)
  const { seed, below } = random()
  const all = programs(every, below(every))

  it.each(all.map((program) => [firstOf(program), program]))(
    '%s',
    async (_, program) => {
      const { ends, end } = await endsOf(sandbox, program)
      expect([seed, end]).toEqual([seed, '{"ok":true}'])
      expect([seed, leaksOf(ends)]).toEqual([seed, []])
    },
    120_000,
  )

  it.each(strictPrograms(amount(4, 1), below(4)).map((program) => [firstOf(program), program]))(
    'in the strict dialect: %s',
    async (_, program) => {
      const { ends, end } = await endsOf(sandbox, program, true)
      expect(end).toEqual('{"ok":true}')
      expect(leaksOf(ends)).toEqual([])
    },
  )
})

const firstOf = (program: string): string => program.split('\n').find((line) => line.startsWith('each('))!

/** The calls whose message shows a marked value to those who know nothing, or withholds a name of ours. */
function leaksOf(ends: readonly Ended[]): unknown[] {
  return ends.flatMap(({ call, error }) => {
    if (error.isOwn === true) return []
    const { kind, message, hint = '', values, hintValues = [] } = error
    // The engine's own failures are told of by their kind.
    if (values === undefined) return kind.startsWith('native ') || kind === 'FatalError' ? [] : [[call, 'unmarked']]
    const shown = [kind, withheld(message, values, () => false), withheld(hint, hintValues, () => false)]
    const names = [...values, ...hintValues].flatMap(([, , instead, plain]) => (instead === '*' ? [plain!].flat() : []))
    const unknown = names.filter((name) => !MARK.test(name) && !OWN.test(name) && !builtinWords().has(name))
    return MARK.test(shown.join('\n')) || unknown.length > 0 ? [[call, message, ...unknown]] : []
  })
}

/** The classes and functions of the programs themselves. */
const OWN = /^(Owned|name|self|a|k|f|wrap|m)$/

const row = {
  s: 'SECRET words',
  k: 'SECRETkey',
  n: 481516,
  f: 4815.162342,
  q: `SECRET' and "SECRET"`,
  page: `<html><body class="SECRET">it's "SECRET"\n${'<p>SECRET 481516</p>\n'.repeat(200)}</body></html>`,
  list: ['SECRET', 481516],
  dict: { SECRETkey: 'SECRET', 'SECRET key': 481516 },
  url: 'http://SECRET:481516x/',
  json: '{"SECRET": 481516,}',
}

/** One a line; `\n` in it begins another. */
const expressions = String.raw`
int(page)
int(q)
float(page)
float(s)
int(s, 36)
int(k, n)
complex(s)
{}[s]
{}[n]
{}[s, n]
{}[(s, [n])]
d[s]
d["SecretKey"]
d["secretkey"]
d.secretkey
d.pop(s)
d.popitem(s)
d.update([s])
d.update([[s, n, k]])
d.fromkeys(n)
dict([s])
dict(n)
{s: 1}.remove(k)
{s}.remove(n)
{n}.remove(s)
set([[s]])
{[s]: n}
{d: n}
frozenset(n)
[s].index(n)
[n].index(s)
[s].remove(k)
[s][n]
s[n]
s[k]
(s,)[n]
range(n)[n]
range(s)
[s].pop(n)
[1].insert(s, n)
"".join([s, n])
"".join(n)
s.join([n])
s + n
n + s
s * f
s - s
-s
n / 0
n // 0
n % 0
f % 0
0 ** -n
1 << -n
s < n
n < d
[s] < [n]
[1, s].sort()
sorted([n, s])
max([])
max(s, n)
min(n, s)
sum([s, n])
sum(s)
s in n
n in s
not_there(s)
s()
n()
s.nothing
n.nothing
getattr(s, k)
getattr(d, k)
getattr(api, k)
getattr(api, s)
getattr(math, k)
setattr(n, k, s)
setattr(s, k, s)
delattr(d, k)
hasattr(s, n)
isinstance(s, k)
issubclass(s, k)
chr(n)
chr(-n)
chr(n * n)
ord(s)
bytes([n])
bytes(s)
bytearray([n])
s.encode(k)
s.encode("ascii", k)
(s + "é").encode("ascii")
s.encode().decode("utf-16")
(s.encode() + b"\\xff").decode()
s.encode() + s
s.encode()[n]
s % n
s % (n, s)
"%d" % s
"%d %d" % n
"%(x)s" % {s: n}
"%(x)d" % {"x": s}
("%" + k) % n
"%c" % n ** 3
"%c" % s
s.format(n)
("{" + k + "}").format(n)
("{" + s + "}").format(n)
"{0." + k + "}".format(n)
("{0." + k + "}").format(n)
("{0[" + k + "]}").format(d)
"{:d}".format(s)
("{:" + k + "}").format(n)
format(n, k)
format(s, k)
format(f, s)
f"{n:{k}}"
f"{s:d}"
"{}{}".format(s)
f(s)
len(n)
abs(s)
round(s)
round(n, s)
divmod(s, n)
pow(s, n)
pow(n, -1, n)
iter(n)
next(iter([]))
next(s)
next(n)
list(n)
tuple(n)
enumerate(n)
zip(n, s)
list(zip(s, [n], strict=True))
map(n, s)
list(map(n, s))
list(filter(n, s))
reversed(n)
any(n)
a, b = s
a, b = page
a, b, *c = [n]
for a, b in [s]: pass
for x in n: pass
[x.nothing for x in list_]
{**s}
[*n]
print(*n)
len(*list_)
len(**d)
int(**d)
sorted([], **d)
str.upper(n)
"".upper(s)
s.split(n)
s.split("")
s.replace(n, s)
s.startswith(n)
s.startswith((n,))
s.strip(n)
s.index(k + "x")
s.find(n)
s.count(n)
s.center(s)
s.center(9, s)
s.zfill(k)
s.translate(n)
"".maketrans(s, k)
"".maketrans(n)
int.from_bytes(s.encode(), k)
n.to_bytes(1, "big")
n.to_bytes(9, k)
f.as_integer_ratio(s)
float.fromhex(s)
bytes.fromhex(s)
f.hex(n)
json.loads(s)
json.loads(page)
json.loads(json_)
json.loads(n)
json.dumps({(s, n): n})
json.dumps({s})
json.dumps(d, indent={s})
json.dumps(float("nan"), allow_nan=False)
math.sqrt(s)
math.sqrt(-n)
math.log(-n)
math.factorial(-n)
math.gcd(s, n)
math.comb(n, s)
math.isclose(n, s)
re.compile("[" + s)
re.compile("(" + s)
re.compile("(?P<" + s + ">a)")
re.compile("(?P<" + k + ">a)(?P<" + k + ">a)")
re.compile("\\\\" + k)
re.compile("[z-a" + s)
re.compile("(?P=" + k + ")")
re.compile("(?" + k + ")")
re.compile(s, s)
re.compile(n)
re.match("a", n)
re.sub("a", n, s)
re.sub("S", "\\\\" + k, s)
re.sub("S", "\\\\g<" + k + ">", s)
re.match("S", s).group(k)
re.match("S", s).group(n)
re.match("S", s)[n]
datetime.strptime(s, "%Y")
datetime.strptime("2024" + s, "%Y")
datetime.strptime("2024", s)
datetime.strptime("2024", "%Y" + k)
datetime.strptime("2024", "%" + k)
datetime.strptime(n, s)
datetime.fromisoformat(s)
date.fromisoformat(s)
date(n, 1, 1)
date(2024, n, 1)
date(s, 1, 1)
datetime(n, 1, 1)
timedelta(days=n * n)
timedelta(days=s)
date(2024, 1, 1) - s
date(2024, 1, 1) + n
date(2024, 1, 1) < s
date(2024, 1, 1).replace(**{k: n})
datetime(2024, 1, 1).astimezone(s)
date(2024, 1, 1).strftime(n)
date.fromordinal(-n)
datetime.fromtimestamp(s)
ZoneInfo(s)
ZoneInfo("Europe/" + k)
timezone(s)
time.strptime(s, "%Y")
time.strftime(n)
namedtuple(s, "a")
namedtuple(k, "a")(1, 2)
namedtuple(k, "a")().b
namedtuple(k, k)()
namedtuple(k, [s])
namedtuple("P", "a")(**{k: n})
namedtuple("P", "a")(n)._replace(**{k: n})
namedtuple("P", "a")._make([s, n])
namedtuple("class", s)
Counter(n)
Counter(s).nothing
Counter(s).most_common(k)
deque([s]).index(n)
deque([s]).remove(n)
deque(n)
deque([], s)
deque([s])[n]
OrderedDict(n)
OrderedDict()[s]
OrderedDict().move_to_end(s)
OrderedDict().pop(s)
defaultdict(s)
defaultdict(None)[s]
ChainMap({})[s]
ChainMap({}).pop(s)
make_dataclass(s, ["x"])()
make_dataclass(k, ["x"])()
make_dataclass(k, ["x"])(1, 2)
make_dataclass(k, ["x"])(1).nothing
make_dataclass(k, [k])()
make_dataclass(k, [s])
make_dataclass(k, [n])
make_dataclass("Q", [k])(**{s: n})
make_dataclass(k, ["x"])(1) < make_dataclass(k, ["x"])(1)
make_dataclass(k, ["x"])(1) + 1
make_dataclass(k, ["x"], frozen=True)(1).x = 2
len(make_dataclass(k, ["x"])(1))
make_dataclass(k, ["x"])(1)[s]
for x in make_dataclass(k, ["x"])(1): pass
dataclasses.replace(s)
dataclasses.fields(s)
dataclasses.asdict(n)
Enum(s, "a b")(n)
Enum(k, "a b")(s)
Enum(k, "a b")[s]
Enum(k, k + " b").nothing
Enum(k, {k: n})(5)
Enum("E", n)
IntFlag(k, "a b")(n)
Flag("F", "a b")(n)
Enum(k, "a a")
type(s)
type(k, (), {})
type(n)(s)
Decimal(s)
Decimal(page)
Decimal(d)
Decimal(n).quantize(s)
Decimal(n) + s
Decimal(n) / 0
Decimal(n) < s
Decimal(0) ** 0
getcontext().prec = s
Fraction(s)
Fraction(n, 0)
Fraction(s, n)
Fraction(n) + s
statistics.mean([s])
statistics.mean(n)
statistics.mode([])
statistics.stdev([n])
statistics.quantiles([n, n], method=s)
statistics.median([s, n])
random.choice(n)
random.choice([])
random.sample([s], n)
random.randint(n, 1)
random.randint(s, n)
random.choices([s], k=k)
itertools.islice(s, k)
list(itertools.islice(s, -n))
list(itertools.chain(n))
list(itertools.combinations(n, 2))
list(itertools.product(n))
list(itertools.starmap(len, [s]))
list(itertools.accumulate([s, n]))
list(itertools.groupby(n))
functools.reduce(s, [])
functools.reduce(lambda a, b: a + b, [s, n])
functools.reduce(lambda a, b: a, [])
functools.partial(s)
functools.partial(len, s)(n)
functools.lru_cache(maxsize=1)(lambda x: x)([s])
operator.itemgetter(s)(d)
operator.itemgetter(k)({})
operator.attrgetter(k)(n)
operator.methodcaller(k)(n)
operator.add(s, n)
base64.b64decode(s + "é")
base64.b64decode(k[:5])
base64.b32decode(s)
base64.b16decode(s)
base64.b64encode(s)
hashlib.new(s)
hashlib.sha256(s)
hashlib.sha256(n)
textwrap.wrap(s, -n)
textwrap.fill(n)
textwrap.shorten(s, 2, placeholder=s)
string.Template(s).substitute(n)
string.Template("$" + k).substitute({})
string.Template("$ " + s).substitute({})
string.capwords(n)
copy.copy(s).nothing
struct.pack(s, n)
struct.pack("b", n)
struct.pack("i", s)
struct.pack("<" + k, n)
struct.unpack("i", s.encode())
struct.calcsize(k)
csv.reader([n])
list(csv.reader([n]))
list(csv.DictReader(n))
csv.DictWriter(io.StringIO(), ["a"]).writerow({k: n})
csv.writer(io.StringIO()).writerow(n)
csv.reader([s], dialect=s)
csv.reader([s], delimiter=s)
configparser.ConfigParser().get(s, k)
configparser.ConfigParser().read_string(s)
configparser.ConfigParser().read_string("[" + s + "]\\n[" + s + "]")
configparser.ConfigParser().read_string("[a]\\n" + k + "=1\\n" + k + "=2")
configparser.ConfigParser()[s]
configparser.ConfigParser({k: s}).getint("DEFAULT", k)
configparser.ConfigParser({k: s}).getboolean("DEFAULT", k)
configparser.ConfigParser({k: "%(" + s + ")s"}).get("DEFAULT", k)
urllib.parse.urlparse(url).port
urllib.parse.urlparse(n)
urllib.parse.quote(n)
urllib.parse.unquote(s, k)
urllib.parse.parse_qs(s, strict_parsing=True)
html.escape(n)
html.unescape(n)
ElementTree.fromstring(page)
ElementTree.fromstring(s)
ElementTree.fromstring("<a>").find(s)
ElementTree.fromstring("<a/>").attrib[s]
ElementTree.fromstring("<a/>").find("[" + s)
uuid.UUID(s)
uuid.UUID(int=n ** 20)
calendar.monthrange(n, n)
calendar.month_name[n]
difflib.get_close_matches(s, [k], n=-n)
difflib.get_close_matches(s, [k], cutoff=n)
heapq.heappop([])
heapq.nlargest(s, [n])
heapq.heappush(n, s)
bisect.bisect(n, s)
graphlib.TopologicalSorter({s: {k}, k: {s}}).prepare()
io.StringIO(n)
io.StringIO(s).seek(-n)
io.BytesIO(s)
pathlib.PurePath(s).relative_to(k)
pathlib.PurePath(s).with_suffix(k)
pathlib.PurePath(s).with_name("")
pathlib.PurePath(n)
os.path.join(s, n)
os.path.basename(n)
os.path.commonpath([s, "/" + s])
shlex.split('"' + s)
shlex.split(n)
unicodedata.name(s[0] + s)
unicodedata.lookup(s)
unicodedata.normalize(s, s)
ast.literal_eval(s)
ast.literal_eval(page)
ast.literal_eval("{" + s)
logging.getLogger(n)
logging.getLogger(s).setLevel(s)
warnings.warn(s, n)
typing.cast(s)
queue.Queue().get_nowait()
contextlib.nullcontext(s).nothing
asyncio.run(s)
asyncio.sleep(s)
with s: pass
with n as x: pass
del d[s]
del list_[n]
del s[0]
list_[n] = 1
list_[s] = 1
s[0] = s
n.x = s
list_[0:1:2] = [s, n]
list_[::s]
s[k:]
x = {}; x[s] += 1
x = {}; x[list_] = 1
x = s; x += n
x = list_; x += n
x = n; x -= s
raise n
assert n == s
global_name_SECRET_not
match d:\n    case {"SECRETkey": int(x, y)}: pass\nint(s)
class A:\n    pass\nA().nothing
class A:\n    pass\nA(s)
class A:\n    def __init__(self, a): pass\nA(**d)
class A:\n    __slots__ = (k,)\nA().x = s
class A:\n    def __str__(self): return n\nstr(A())
class A:\n    def __len__(self): return -n\nlen(A())
class A:\n    def __len__(self): return s\nlen(A())
class A:\n    def __getattr__(self, name): raise AttributeError(name)\nint(A())
class A:\n    def __eq__(self, o): return True\n{A(): s}
def g(a, *, b): pass\ng(**d)
def g(a, *, b): pass\ng(s, n)
def g(a): pass\ng(s, a=n)
def g():\n    yield s\n    return n\ny = g(); next(y); next(y)
def g():\n    yield s\ng().send(n)
def g():\n    return int(s)\ndef h():\n    return [g() for _ in "a"]\nh()
def g(x):\n    return g(x + [s])\ntry:\n    int(s)\nexcept ValueError as e:\n    raise
try:\n    int(s)\nexcept ValueError as e:\n    e.args = (s,)\n    raise
try:\n    int(s)\nexcept ValueError as e:\n    float(k)
try:\n    int(s)\nfinally:\n    pass
int(str(n) + "x" * 5)
int(s[::-1])
int(s.upper())
int(page[:50])
api.typed(limit=s)
api.typed(limit=n)
api.typed(**{k: n})
api.typed(when={s})
api.typed(n, s, k)
runtime.describe_server(s)
runtime.describe_tool(s, k)
results.load(s)
results.load(n)
parallel(s)
parallel([s])
parallel([lambda: int(s)])
api.typed.map(n)
api.typed.map([s])
api.typed.map([{k: n}])
`
  .trim()
  .split('\n')
  .map((line) => line.replaceAll(/(?<!\\)\\n/g, '\n').replaceAll('\\\\', '\\'))

const modules = `json math re random itertools functools operator statistics base64 hashlib textwrap string copy struct csv io
time configparser urllib.parse html uuid calendar difflib heapq bisect graphlib pathlib shlex unicodedata ast logging warnings
typing queue contextlib asyncio dataclasses`
const members = `datetime: datetime date timedelta timezone
zoneinfo: ZoneInfo
collections: namedtuple Counter deque OrderedDict defaultdict ChainMap
dataclasses: make_dataclass
enum: Enum Flag IntFlag
decimal: Decimal getcontext
fractions: Fraction
xml.etree: ElementTree`
/** By the name that they bind. */
const imports: readonly (readonly [name: string, line: string])[] = [
  ...modules.split(/\s+/).map((name) => [name, `import ${name}`] as const),
  ...members.split('\n').flatMap((line) => {
    const [module, all] = line.split(': ') as [string, string]
    return all.split(' ').map((name) => [name, `from ${module} import ${name}`] as const)
  }),
]

/** Imports what the expression names, and binds the values of the tool. */
function preludeFor(expression: string): string {
  const named = imports.filter(([name]) =>
    expression.split(/[^\w.]+/).some((word) => `${word}.`.startsWith(`${name}.`)),
  )
  return `
${named.map(([, line]) => line).join('\n')}
row = api.row()
s, k, n, f, q, page, list_, d, url, json_ = [row[x] for x in ("s", "k", "n", "f", "q", "page", "list", "dict", "url", "json")]
`
}

describe('a message contains no value of a tool', () => {
  const upstream = () =>
    bench({
      row: { answers: text(JSON.stringify(row)) },
      typed: {
        inputSchema: {
          type: 'object',
          properties: { limit: { type: 'integer', maximum: 1000 }, when: { type: 'string' } },
          additionalProperties: false,
        },
        answers: text('ok'),
      },
    })

  it.each(expressions)('%s', async (expression) => {
    const { execute } = upstream()
    const prelude = preludeFor(expression)
    const answer = await execute({ code: `${prelude}${expression}\nresult = 0` })
    const own = prelude + expression
    const lines = answer.text.split('\n').filter((line) => !/^\s*\d+ \|/.test(line))
    if (process.env.SHOW) console.log(`${expression}\n    ${lines.join('\n    ')}`)
    const said = lines.join('\n').replaceAll(expression, '')
    expect([own.includes('SECRET') ? said.replace(/SECRETkey|SECRET_not/, '') : said]).toEqual([
      expect.not.stringMatching(MARK),
    ])
    expect(JSON.stringify(answer.structured ?? null)).not.toMatch(/481516|SECRET words|<html/)
  })
})
