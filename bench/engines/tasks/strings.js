function main() {
  const rows = []
  for (let i = 0; i < 50000; i++) rows.push(`${i},user${i % 100},${(i * 7) % 1000}`)
  const text = rows.join('\n')
  let total = 0
  const out = []
  for (const line of text.split('\n')) {
    const parts = line.split(',')
    total += Number.parseInt(parts[2], 10)
    if (parts[1].startsWith('user1') && !parts[1].endsWith('9'))
      out.push(`${parts[0]}:${parts[1].toUpperCase()}=${parts[2]}`)
  }
  const joined = out.join(';')
  let found = 0
  for (const row of rows) {
    if (row.includes('user42')) found += 1
    if (row.replace(/^[0-9]+|[0-9]+$/g, '').indexOf('user') === 1) found += 1
  }
  return [text.length, total, out.length, joined.replaceAll('USER', 'u').length, found]
}

main()
