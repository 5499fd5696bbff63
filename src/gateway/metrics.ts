// Metrics in Prometheus' text format.
// Invariant: names and labels are escaped, and the configuration bounds the number of series: no text of a caller
// becomes a label.

type Labels = Readonly<Record<string, string>>

interface Metric {
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** Of histograms: the bounds of their buckets. */
  readonly bounds: readonly number[]
  readonly series: Map<string, Series>
}

interface Named {
  readonly name: string
  readonly bounds?: readonly number[]
}

interface Series {
  readonly labels: Labels
  value: number
  /** For histograms: the number of observations up to each bound. */
  readonly buckets: number[]
  count: number
}

const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 20, 60, 300]
/** Further label values are counted as "other". */
const MOST_SERIES = 5000

export class Metrics {
  readonly #metrics = new Map<string, Metric>()
  readonly #gauges: (() => void)[] = []

  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    this.#series({ name, help, kind: 'counter' }, labels).value += by
  }

  set(name: string, help: string, value: number, labels: Labels = {}): void {
    this.#series({ name, help, kind: 'gauge' }, labels).value = value
  }

  /** Observes a duration. */
  observe(
    name: string,
    help: string,
    seconds: number,
    { labels = {}, bounds = SECONDS }: { readonly labels?: Labels; readonly bounds?: readonly number[] } = {},
  ): void {
    const series = this.#series({ name, help, kind: 'histogram', bounds }, labels)
    series.value += seconds
    series.count++
    for (let i = 0; i < bounds.length; i++) if (seconds <= bounds[i]!) series.buckets[i]!++
  }

  /** Called for gauges at each reading. */
  onRead(set: () => void): void {
    this.#gauges.push(set)
  }

  /** Forgets the values of a gauge whose labels come and go. */
  clear(name: string): void {
    this.#metrics.get(name)?.series.clear()
  }

  toString(): string {
    for (const set of this.#gauges) set()
    const lines = [...this.#metrics].flatMap(([name, metric]) => [
      `# HELP ${name} ${metric.help}`,
      `# TYPE ${name} ${metric.kind}`,
      ...[...metric.series.values()].flatMap((series) => linesOf(name, metric, series)),
    ])
    return `${lines.join('\n')}\n`
  }

  #series({ name, help, kind, bounds = [] }: Omit<Metric, 'series' | 'bounds'> & Named, labels: Labels): Series {
    let metric = this.#metrics.get(name)
    if (metric === undefined) {
      metric = { help, kind, bounds, series: new Map() }
      this.#metrics.set(name, metric)
    }
    const { series } = metric
    const known = series.get(keyOf(labels))
    if (known !== undefined) return known
    const kept = series.size >= MOST_SERIES ? othersOf(labels) : labels
    const key = keyOf(kept)
    const one = series.get(key) ?? { labels: kept, value: 0, count: 0, buckets: metric.bounds.map(() => 0) }
    series.set(key, one)
    return one
  }
}

/** The names of the labels are the same in all series of a metric. */
function keyOf(labels: Labels): string {
  let key = ''
  for (const name in labels) key += `${labels[name]}\0`
  return key
}

function othersOf(labels: Labels): Labels {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']))
}

function linesOf(name: string, { kind, bounds }: Metric, { labels, value, count, buckets }: Series): string[] {
  if (kind !== 'histogram') return [`${name}${shown(labels)} ${value}`]
  return [
    ...[...bounds.map(String), '+Inf'].map(
      (le, i) => `${name}_bucket${shown({ ...labels, le })} ${buckets[i] ?? count}`,
    ),
    `${name}_sum${shown(labels)} ${value}`,
    `${name}_count${shown(labels)} ${count}`,
  ]
}

function shown(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')
}
