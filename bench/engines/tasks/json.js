function main() {
  const rows = []
  for (let i = 0; i < 5000; i++) {
    rows.push({
      id: i,
      name: `item-${i}`,
      tags: ['a', 'b', `t${i % 10}`],
      owner: { login: `user${i % 50}`, level: i % 5 },
      open: i % 3 !== 0,
      note: null,
    })
  }
  const text = JSON.stringify(rows)
  const back = JSON.parse(text)
  let total = 0
  for (const r of back) total += r.id + r.owner.level
  return [back.length, text === JSON.stringify(back), total, back[1999].name]
}

main()
