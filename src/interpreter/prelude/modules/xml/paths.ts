// ElementTree's paths: names, `*`, `.`, `..`, `//` and conditions in brackets.
// Invariant: an element is found once, in document order.

export interface Tree<E> {
  readonly tag: (e: E) => string | undefined
  readonly children: (e: E) => readonly E[]
  readonly attribute: (e: E, name: string) => string | undefined
  /** The whole text inside an element. */
  readonly text: (e: E) => string
}

interface Step<E> {
  /** True if the step goes to all descendants. */
  readonly deep: boolean
  readonly name: string
  readonly conditions: readonly ((among: readonly E[]) => E[])[]
}

/** The elements at a path from `start`. Undefined if the path is unsupported. */
export function findPath<E>(
  tree: Tree<E>,
  start: E,
  path: string,
  spaces: (prefix: string) => string | undefined,
): E[] | undefined {
  const steps = stepsOf(tree, path, spaces)
  if (steps === undefined) return undefined
  const parents = new Map<E, E>()
  for (const e of within(tree, start)) for (const child of tree.children(e)) parents.set(child, e)
  let found: E[] = [start]
  for (const step of steps) found = [...new Set(found.flatMap((e) => taken(tree, e, step, parents)))]
  return found
}

/** An element and its descendants, in document order. */
export function within<E>(tree: Pick<Tree<E>, 'children'>, e: E): E[] {
  return [e, ...tree.children(e).flatMap((child) => within(tree, child))]
}

function taken<E>(tree: Tree<E>, e: E, step: Step<E>, parents: ReadonlyMap<E, E>): E[] {
  if (step.name === '.') return step.deep ? within(tree, e) : filtered([e], step)
  if (step.name === '..') return parents.has(e) ? [parents.get(e)!] : []
  // Positions are counted among the children of one parent.
  const sources = step.deep ? within(tree, e) : [e]
  return sources.flatMap((s) =>
    filtered(
      tree.children(s).filter((c) => isNamed(tree.tag(c), step.name)),
      step,
    ),
  )
}

const filtered = <E>(among: E[], step: Step<E>): E[] => step.conditions.reduce((left, f) => f(left), among)

function isNamed(tag: string | undefined, name: string): boolean {
  if (tag === undefined) return false
  if (name === '*' || name === tag) return true
  return name.startsWith('{*}') && tag.replace(/^\{[^}]*\}/, '') === name.slice(3)
}

function stepsOf<E>(
  tree: Tree<E>,
  path: string,
  spaces: (prefix: string) => string | undefined,
): Step<E>[] | undefined {
  const steps: Step<E>[] = []
  let rest = path.endsWith('/') ? `${path}*` : path
  let deep = false
  while (rest !== '') {
    const m = /^(\/{0,2})((?:\{[^}]*\})?[^/[\]{}]+)((?:\[[^\]]*\])*)/.exec(rest)
    if (m === null || (steps.length === 0 && m[1] !== '')) return undefined
    deep = m[1] === '//'
    const conditions = [...m[3]!.matchAll(/\[([^\]]*)\]/g)].map((c) => condition(tree, c[1]!.trim(), spaces))
    if (conditions.includes(undefined)) return undefined
    steps.push({ deep, name: spaced(m[2]!, spaces), conditions: conditions as ((among: readonly E[]) => E[])[] })
    rest = rest.slice(m[0].length)
  }
  return steps
}

function spaced(name: string, spaces: (prefix: string) => string | undefined): string {
  if (name.startsWith('{') || name === '*' || name.startsWith('.')) return name
  const colon = name.indexOf(':')
  const space = spaces(colon < 0 ? '' : name.slice(0, colon))
  return space === undefined ? name : `{${space}}${name.slice(colon + 1)}`
}

function condition<E>(
  tree: Tree<E>,
  text: string,
  spaces: (prefix: string) => string | undefined,
): ((among: readonly E[]) => E[]) | undefined {
  const place = /^(\d+)$|^last\(\)(?:\s*-\s*(\d+))?$/.exec(text)
  if (place !== null) {
    return (among) => {
      const e = among[place[1] === undefined ? among.length - 1 - Number(place[2] ?? 0) : Number(place[1]) - 1]
      return e === undefined ? [] : [e]
    }
  }
  const m = /^(@?)([^=!'"\s]+)\s*(?:(!?=)\s*(?:"([^"]*)"|'([^']*)'))?$/.exec(text)
  if (m === null) return undefined
  const [, at, name, operator] = m
  const wanted = m[4] ?? m[5]
  const values = (e: E): string[] => {
    if (at === '@')
      return [
        tree.attribute(
          e,
          spaced(name!, () => undefined),
        ),
      ].filter((v) => v !== undefined)
    if (name === '.') return [tree.text(e)]
    const tag = spaced(name!, spaces)
    return tree
      .children(e)
      .filter((c) => isNamed(tree.tag(c), tag))
      .map(tree.text)
  }
  const fits = (value: string): boolean => operator === undefined || (value === wanted) === (operator === '=')
  return (among) => among.filter((e) => values(e).some(fits))
}
