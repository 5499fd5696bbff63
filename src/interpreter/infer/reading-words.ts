// Names of functions and methods that show how a program uses a value.

/** Methods of texts that lists, tuples and dicts do not have. */
export const TEXT_METHODS: ReadonlySet<string> = new Set(
  (
    'capitalize casefold center encode endswith expandtabs find format isalnum isalpha isascii isdecimal isdigit ' +
    'isidentifier islower isnumeric isprintable isspace istitle isupper ljust lower lstrip partition removeprefix ' +
    'removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase ' +
    'title translate upper zfill elems codepoints'
  ).split(' '),
)

/** Methods of texts that people call on single characters too. */
export const OF_CHARACTERS: ReadonlySet<string> = new Set(
  (
    'casefold encode isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace ' +
    'isupper lower upper swapcase'
  ).split(' '),
)

/** Functions that take a list of numbers. */
export const NUMBERING: ReadonlySet<string> = new Set(
  'sum fsum mean fmean median median_low median_high stdev pstdev variance pvariance quantiles prod'.split(' '),
)

/** Methods of lists or dicts that texts do not have. */
export const DATA_METHODS: ReadonlySet<string> = new Set(
  'append extend insert remove sort reverse get items keys values setdefault update pop popitem'.split(' '),
)

/** Methods that add their arguments, or the elements of these, to their object. */
export const STORING: ReadonlySet<string> = new Set('append appendleft add put insert extend update'.split(' '))

/** Methods that hash their first argument, and functions that hash its elements. */
export const HASHING: ReadonlySet<string> = new Set(
  'add discard get setdefault pop set frozenset Counter fromkeys'.split(' '),
)

/** Functions that take a text, and its position among their arguments. */
export const TEXT_FUNCTIONS: Readonly<Record<string, number>> = {
  __proto__: null as never,
  loads: 0,
  decode: 0,
  fromstring: 0,
  StringIO: 0,
  literal_eval: 0,
  dedent: 0,
  fill: 0,
  wrap: 0,
  shorten: 0,
  indent: 0,
  unescape: 0,
  quote: 0,
  unquote: 0,
  urlparse: 0,
  parse_qs: 0,
  match: 1,
  fullmatch: 1,
  search: 1,
  findall: 1,
  finditer: 1,
  split: 1,
  sub: 2,
  subn: 2,
}

/** The functions of TEXT_FUNCTIONS that parse JSON. */
export const PARSING: ReadonlySet<string> = new Set(['loads', 'decode'])

/** Functions that return their argument. */
export const HANDING_ON: ReadonlySet<string> = new Set(
  'create_task ensure_future wait_for shield run copy deepcopy cast'.split(' '),
)

/** Functions that iterate over their argument. */
export const ITERATING: ReadonlySet<string> = new Set(
  (
    'list tuple set frozenset sorted reversed enumerate zip iter next min max sum any all Counter deque chain ' +
    'islice groupby accumulate combinations permutations pairwise batched cycle takewhile dropwhile starmap ' +
    'nlargest nsmallest gather'
  ).split(' '),
)
