function main() {
  const regions = ['north', 'south', 'east', 'west', 'central']
  const kinds = ['bug', 'feature', 'chore', 'question']
  const rows = []
  for (let i = 0; i < 20000; i++) {
    rows.push({
      id: i,
      title: `Issue number ${i}`,
      region: regions[(i * 7) % 5],
      kind: kinds[(i * 11) % 4],
      owner: `user${(i * 13) % 200}`,
      price: ((i * 37) % 10000) / 4,
      qty: (i % 17) + 1,
      open: i % 3 !== 0,
      labels: [`p${i % 4}`, `area-${i % 9}`],
    })
  }
  const teams = {}
  for (let u = 0; u < 200; u++) teams[`user${u}`] = `team${u % 12}`
  const picked = rows.filter((r) => r.open && r.qty > 3 && r.kind !== 'chore')
  const groups = {}
  for (const r of picked) {
    const key = `${r.region}/${r.kind}`
    groups[key] ??= { count: 0, revenue: 0, teams: {} }
    const g = groups[key]
    g.count += 1
    g.revenue += r.price * r.qty
    const team = teams[r.owner]
    g.teams[team] = (g.teams[team] ?? 0) + r.labels.length
  }
  const best = Object.entries(groups)
    .sort((a, b) => b[1].revenue - a[1].revenue)
    .slice(0, 3)
  return [
    picked.length,
    Object.keys(groups).length,
    ...best.map(([key, g]) => [key, g.count, Math.trunc(g.revenue), Object.keys(g.teams).length]),
  ]
}

main()
