// Tokenises texts and identifiers for search, and lists synonyms.

/** Words without meaning for a search. */
const EMPTY = new Set(
  (
    'a an the of to in into onto for on with and or is are was were be been am my our your their its his her i me we us you it they them this that ' +
    'these those from by as at do does did done doing can could should would will want wants need needs needed like please how what whats which ' +
    'who whom when where why have has had having there here some any so just also only then than such about let lets give tell using via ' +
    'if but out up down over per while whether'
  ).split(' '),
)

/** Each line lists synonyms. Their order has no meaning. */
const ALIKE = [
  'delete remove drop erase destroy discard forget clear uninstall purge',
  'create add new make insert open register provision',
  'list show get view see display enumerate all',
  'read get fetch retrieve load show open view content',
  'update edit modify change set alter adjust patch',
  'search find look lookup query discover locate grep',
  'run execute start launch trigger invoke',
  'stop cancel kill end terminate abort halt',
  'repo repository project',
  'directory folder dir',
  'image picture screenshot photo',
  'issue ticket bug',
  'comment note remark reply',
  'discussion thread conversation',
  'database db',
  'write save store put append',
  'remember memorize store save',
  'rename move',
  'undo revert restore rollback reset',
  'log logs output',
  'history log past previous',
  'latest newest recent last current',
  'info information detail describe status metadata property',
  'password secret credential',
  'page website webpage site tab url web',
  'navigate go visit browse open',
  'click press tap push',
  'type enter fill input write',
  'setting config configuration preference option parameter',
  'env environment',
  'doc docs documentation',
  'user member person people account collaborator',
  'permission access role right',
  'difference diff compare changes',
  'sum add plus',
  'machine vm server host node',
  'phone mobile device',
  'download export fetch',
  'upload import send attach',
  'wait sleep pause block until',
  'failure fail error broken failing crash exception',
  'test spec check',
  'assert verify check ensure validate',
  'validate lint check',
  'slow performance speed fast',
  'trace profile performance',
  'size big large storage space length',
  'price cost pricing spend bill billing',
  'quota limit usage',
  'merge combine join',
  'count number many',
  'schedule cron nightly',
  'job task process',
  'build pipeline workflow ci',
  'rerun retry repeat restart again',
  'flaky unstable intermittent',
  'measure metric monitor',
  'alert alarm notification',
  'outage incident health down availability',
  'publish release deploy',
  'index indexes',
  'think reason reflect',
  'annotate mark highlight',
  'author wrote blame authorship',
  'link relation relate connect',
  'fact observation',
  'simulate emulate mock fake',
  'switch checkout select change',
  'approve accept confirm',
  'reject decline deny',
  'emoji reaction',
  'email mail',
  'audio speech voice sound',
  'video recording screencast',
  'capture take record',
  'chart diagram plot',
  'table schema column field',
  'row record document item entry',
  'query select sql',
  'container docker pod',
  'bucket blob container',
  'queue topic message',
  'region location',
  'recommendation advice guidance suggestion',
  'dropdown select option',
  'popup dialog alert prompt',
  'http request network traffic',
  'element selector locator',
  'visible shown displayed',
  'sync synchronize pull',
  'copy clone duplicate fork',
  'compress zip gzip archive',
  'subscribe watch follow',
  'todo task reminder',
  'sprint iteration',
  'shell terminal command bash',
  'modified changed edited',
]

/** Abbreviations and their long forms, both ways. */
const SHORT_FOR: readonly (readonly [string, string])[] = [
  ['pr', 'pull request'],
  ['pr', 'merge request'],
  ['mr', 'merge request'],
  ['k8s', 'kubernetes'],
  ['vm', 'virtual machine'],
  ['db', 'database'],
  ['ci', 'continuous integration'],
  ['js', 'javascript'],
  ['aks', 'kubernetes cluster'],
  ['acr', 'container registry'],
  ['a11y', 'accessibility'],
]

/**
 * The words of a text or an identifier for the index, lower case and without endings: `createPullRequests` gives `creat
 * pull request`. A word in parts is also indexed as a whole: `JavaScript` also gives `javascript`.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const whole of text
    .normalize('NFKC')
    .replace(/['’]s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const parts = partsOf(whole)
    for (const part of parts) if (!EMPTY.has(part)) words.push(stem(part))
    if (parts.length > 1) words.push(stem(whole.toLowerCase()))
  }
  return words
}

/** `createPullRequest` in lower case parts. */
function partsOf(word: string): string[] {
  if (!/[\p{Ll}\d]\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word)) return [word.toLowerCase()]
  return word
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(' ')
}

/** A word without the endings of plural, past and progress. Need not be a word; equal for forms of one word. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  let root = word
  if (/ies$/.test(root) && root.length > 4) root = `${root.slice(0, -3)}y`
  else if (/(sh|ch|x|ss|zz)es$/.test(root)) root = root.slice(0, -2)
  else if (/[^sui]s$/.test(root)) root = root.slice(0, -1)
  if (/ing$/.test(root) && root.length > 5) root = undouble(root.slice(0, -3))
  else if (/ied$/.test(root) && root.length > 4) root = `${root.slice(0, -3)}y`
  else if (/ed$/.test(root) && root.length > 4) root = undouble(root.slice(0, -2))
  if (/e$/.test(root) && root.length > 3) root = root.slice(0, -1)
  return root
}

function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}

const alike = new Map<string, Set<string>>()
for (const line of ALIKE) {
  const words = line.split(' ').map(stem)
  for (const word of words) {
    const others = alike.get(word) ?? new Set()
    for (const other of words) if (other !== word) others.add(other)
    alike.set(word, others)
  }
}

/** The kind of action: read, create, change, delete. */
export type Intent = 'read' | 'create' | 'update' | 'delete'

const VERBS: Readonly<Record<Intent, string>> = {
  read: 'list get show view see read fetch retrieve find search query look lookup describe display count inspect explain browse download export',
  create:
    'create add make insert new open register provision generate init initialize put post attach upload send publish store save write append',
  update:
    'update edit modify change set rename move replace patch resize scale mark switch toggle enable disable adjust',
  delete: 'delete remove drop erase destroy clear purge uninstall discard forget unset cancel',
}

const intentOf = new Map(
  Object.entries(VERBS).flatMap(([intent, verbs]) =>
    verbs.split(' ').map((verb) => [stem(verb), intent as Intent] as const),
  ),
)

/** The action in a tool's name. */
export function nameIntent(words: readonly string[]): Intent | undefined {
  for (const word of words) {
    const intent = intentOf.get(word)
    if (intent !== undefined) return intent
  }
  return undefined
}

/** The action of a query. A question, or words without a verb, mean reading. */
function queryIntent(raw: readonly string[], stems: readonly string[]): Intent | undefined {
  if (/^(what|which|who|whose|how|why|where|when|is|are|was|were|did|does|do|has|have|can)$/.test(raw[0] ?? ''))
    return 'read'
  if (/\bget rid of\b/.test(raw.join(' '))) return 'delete'
  const intent = nameIntent(stems)
  if (intent !== undefined) return intent
  return stems.some((word) => ACTIONS.has(word)) ? undefined : 'read'
}

/** Verbs of no particular intent. */
const ACTIONS = new Set(
  (
    'run execute start stop launch trigger invoke kill end terminate restart retry rerun wait click press tap type enter fill hover drag drop ' +
    'scroll go navigate close accept dismiss approve reject merge fork clone commit push pull fetch stage stash tag rebase checkout apply ' +
    'install upgrade roll rollback forward drain record take capture simulate emulate mock convert transcribe translate compress validate lint check ' +
    'test scan audit deploy connect disconnect link lock unlock protect subscribe resolve play pause resume compare diff analyze annotate ' +
    'highlight select choose pick verify assert save load call use undo block think remember switch close'
  )
    .split(' ')
    .map(stem),
)

/** A word of a query, and its alternatives. */
export interface QueryWord {
  readonly word: string
  readonly others: readonly string[]
}

interface Query {
  readonly words: readonly QueryWord[]
  /** Neighbours joined, as in `roll back` and `rollback`. They add to the score if found and cost nothing otherwise. */
  readonly compounds: readonly string[]
  readonly intent: Intent | undefined
}

/** The maximum of a query's characters, and of each word's. */
const MOST_CHARS = 1_000
const MOST_WORDS = 24
const LONGEST_WORD = 40

/** The distinct words of a query, with their synonyms. */
export function readQuery(query: string): Query {
  const found = query
    .slice(0, MOST_CHARS)
    .normalize('NFKC')
    .replace(/['’]s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu)
  const spelt = (found ?? []).slice(0, 2 * MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD))
  const raw = spelt.map((word) => word.toLowerCase())
  const telling = spelt.filter((word) => !EMPTY.has(word.toLowerCase()))
  const written = telling.length > 0 ? telling : spelt
  const words = [...new Map(written.map((word) => [stem(word.toLowerCase()), partsOf(word)])).entries()].slice(
    0,
    MOST_WORDS,
  )
  const known = new Set(words.map(([word]) => word))
  const text = ` ${[...known].join(' ')} `
  return {
    intent: queryIntent(raw, [...known]),
    words: words.map(([word, parts]) => {
      const others = new Set([
        ...(parts.length > 1 ? parts.map(stem) : []),
        ...(alike.get(word) ?? []),
        ...abbreviations(word, text),
      ])
      return { word, others: [...others].filter((other) => !known.has(other)) }
    }),
    compounds: [...new Set(raw.flatMap((_, i) => [raw.slice(i, i + 2).join(''), raw.slice(i, i + 3).join('')]))]
      .map(stem)
      .filter((word) => !known.has(word)),
  }
}

/** The long form of the word, or the abbreviation of the words it is part of. */
function abbreviations(word: string, text: string): string[] {
  return SHORT_FOR.flatMap(([short, long]) => {
    const parts = long.split(' ').map(stem)
    if (word === short) return parts
    return parts.includes(word) && text.includes(` ${parts.join(' ')} `) ? [short] : []
  })
}
