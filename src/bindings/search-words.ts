// Words for searching: how texts and identifiers fall into words, and which words mean much the same. Knows English and the trade's
// vocabulary; knows no index.

/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  (
    'a an the of to in into onto for on with and or is are was were be been am my our your their its his her i me we us you it they them this that ' +
    'these those from by as at do does did done doing can could should would will want wants need needs needed like please how what whats which ' +
    'who whom when where why have has had having there here some any so just also only then than such about let lets give tell using via ' +
    'if but out up down over per while whether'
  ).split(' '),
)

/** Each line: words that people use for one another. The first is no better than the rest. */
const ALIKE = [
  'delete remove drop erase destroy discard',
  'create add new make insert open register',
  'list show get view display enumerate see all',
  'read get fetch retrieve load show open view content',
  'update edit modify change set alter adjust',
  'search find look lookup query discover locate',
  'run execute start launch trigger invoke',
  'stop cancel kill end terminate abort halt',
  'repo repository project',
  'directory folder dir',
  'image picture screenshot photo',
  'issue ticket bug',
  'comment note remark reply',
  'database db',
  'write save store put',
  'rename move',
  'undo revert restore rollback reset',
  'log logs output',
  'history log commits',
  'info information details describe status metadata',
  'password secret credential',
  'page website webpage site tab url web',
  'navigate go visit browse open',
  'click press tap push',
  'type enter fill input write',
  'setting config configuration preference option',
  'env environment',
  'doc docs documentation',
  'user member person people account',
  'permission access role right',
  'difference diff compare changes',
  'sum add plus',
  'machine vm server',
  'download export fetch',
  'upload import send',
  'wait sleep pause',
  'failure fail error broken failing crash',
  'test spec check',
  'slow performance speed fast',
  'size big large storage space',
  'price cost pricing spend',
  'merge combine join',
  'count number many',
  'schedule cron',
  'job task process',
  'build pipeline workflow ci',
  'measure metric monitor',
  'alert alarm notification',
  'subscription account',
  'publish release deploy',
  'index indexes',
  'think reason reflect',
  'annotate mark highlight label tag',
]

/** Abbreviations and what they stand for, both ways. */
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

/** The words of a text or an identifier, lower case and without endings: `createPullRequests` gives `creat pull request`. */
export function wordsOf(text: string): string[] {
  return rawWords(text)
    .filter((word) => !EMPTY.has(word))
    .map(stem)
}

function rawWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .replace(/'s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
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

/** A word of a query, and what may stand for it. */
export interface QueryWord {
  readonly word: string
  readonly others: readonly string[]
}

/** The words of a query, each once, with the words that mean much the same. */
export function queryWords(query: string): QueryWord[] {
  const raw = rawWords(query)
  const spelt = [...new Set(raw.filter((word) => !EMPTY.has(word)).map(stem))]
  const words = spelt.length > 0 ? spelt : [...new Set(raw.map(stem))]
  const text = ` ${words.join(' ')} `
  return words.slice(0, 24).map((word) => {
    const others = new Set(alike.get(word))
    for (const [short, long] of SHORT_FOR) {
      const parts = long.split(' ').map(stem)
      if (word === short) for (const part of parts) others.add(part)
      else if (parts.includes(word) && text.includes(` ${parts.join(' ')} `)) others.add(short)
    }
    return { word, others: [...others].filter((other) => !words.includes(other)) }
  })
}
