async function main() {
  let total = 0
  let chars = 0
  for (let i = 0; i < 10000; i++) {
    const r = await tool({ x: i })
    if (r.active) total += r.count
    chars += r.name.length + r.tags[2].length
  }
  return [total, chars]
}

main()
