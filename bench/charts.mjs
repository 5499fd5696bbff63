// Charts as SVG texts, readable on light and on dark pages.

const WIDTH = 860
const COLOURS = [
  '#1a6fd4',
  '#12a594',
  '#e5484d',
  '#f76b15',
  '#8e4ec6',
  '#978365',
  '#30a46c',
  '#d6409f',
  '#ad7f58',
  '#7c7c7c',
]
const LEFT = 170
const RIGHT = 30

/**
 * A chart. `dots`: `groups` are rows `{name, values}` with a value for each of `series`. `lines`: `points` are places
 * on the horizontal axis and `series` are `{name, values}`. Both axes of values are logarithmic. A value that is missing
 * is undefined, or null where it was read from a file.
 */
export function chart(one) {
  return one.kind === 'dots' ? dots(one) : lines(one)
}

function dots({ title, groups, series }) {
  const top = 50 + legendHeight(series)
  const height = top + groups.length * 34 + 40
  const axis = logarithmic(groups.flatMap(({ values }) => values))
  const x = (value) => LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT)
  const bottom = height - 34
  const rows = groups.map(({ name, values }, i) => {
    const y = top + i * 34 + 17
    const marks = values.map((value, j) =>
      !isThere(value)
        ? ''
        : `<circle cx="${x(value).toFixed(1)}" cy="${y}" r="6" fill="${COLOURS[j]}" fill-opacity=".85"/>`,
    )
    return [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" class="grid"/>`,
      `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${escaped(name)}</text>`,
      // The first ones are drawn last, so that nothing hides them.
      ...marks.reverse(),
    ].join('\n')
  })
  const ticks = axis.ticks.map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="${top}" y2="${bottom}" class="grid"/>` +
      `<text x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${shown(tick)}×</text>`,
  )
  return page({ height, title, names: series, parts: [...ticks, ...rows] })
}

function lines({ title, points, series, unit = '', across = '' }) {
  const names = series.map(({ name }) => name)
  const top = 50 + legendHeight(names)
  const height = top + 300
  const bottom = height - 50
  const left = 80
  const axis = logarithmic(series.flatMap(({ values }) => values))
  const x = (i) => left + (points.length === 1 ? 0.5 : i / (points.length - 1)) * (WIDTH - left - 60)
  const y = (value) => bottom - axis.share(value) * (bottom - top)
  const ticks = axis.ticks.map(
    (tick) =>
      `<line x1="${left}" x2="${WIDTH - 60}" y1="${y(tick)}" y2="${y(tick)}" class="grid"/>` +
      `<text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${shown(tick)}${unit}</text>`,
  )
  const labels = points.map(
    (point, i) => `<text x="${x(i)}" y="${bottom + 18}" text-anchor="middle">${escaped(point)}</text>`,
  )
  const paths = series.map(({ values }, j) => {
    const there = values.map((value, i) => [x(i), value]).filter(([, value]) => isThere(value))
    const path = there.map(([at, value]) => `${at.toFixed(1)},${y(value).toFixed(1)}`)
    const marks = path.map(
      (place) => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="4" fill="${COLOURS[j]}"/>`,
    )
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${COLOURS[j]}" stroke-width="2.5"/>${marks.join('')}`
  })
  const under = `<text x="${(left + WIDTH - 60) / 2}" y="${height - 12}" text-anchor="middle">${escaped(across)}</text>`
  return page({ height, title, names, parts: [...ticks, ...labels, ...paths.reverse(), under] })
}

function isThere(value) {
  return value !== undefined && value !== null
}

/** A logarithmic axis over whole powers of ten. */
function logarithmic(values) {
  const logs = values.filter(isThere).map(Math.log10)
  const [low, high] = [Math.floor(Math.min(...logs) + 1e-9), Math.ceil(Math.max(...logs) - 1e-9)]
  const end = Math.max(high, low + 1)
  return {
    share: (value) => (Math.log10(value) - low) / (end - low),
    ticks: Array.from({ length: end - low + 1 }, (_, i) => 10 ** (low + i)),
  }
}

function shown(value) {
  return value >= 1 ? value.toLocaleString('en') : String(Number(value.toPrecision(1)))
}

const LEGEND_ROW = 4

function legendHeight(names) {
  return Math.ceil(names.length / LEGEND_ROW) * 22
}

function legend(names) {
  return names.map((name, i) => {
    const [x, y] = [24 + (i % LEGEND_ROW) * 205, 52 + Math.floor(i / LEGEND_ROW) * 22]
    return `<circle cx="${x}" cy="${y - 4}" r="6" fill="${COLOURS[i]}"/><text x="${x + 12}" y="${y}">${escaped(name)}</text>`
  })
}

function page({ height, title, names, parts }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    '<style>text { font: 13px system-ui, sans-serif; fill: #333 } .grid { stroke: #ddd } .title { font-weight: 600 }</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="18" y="28" class="title">${escaped(title)}</text>`,
    ...legend(names),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
