function main() {
  let seed = 12345
  const items = []
  for (let i = 0; i < 50000; i++) {
    seed = (seed * 16807) % 2147483647
    items.push({ id: i, v: seed, name: `n${seed % 5000}` })
  }
  const byValue = [...items].sort((a, b) => a.v - b.v)
  const byName = [...items].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const plain = items.map((r) => r.v).sort((a, b) => b - a)
  let check = 0
  for (let i = 0; i < 50000; i++) {
    check = (check * 31 + byValue[i].id * 7 + byName[i].id * 3 + (plain[i] % 1000)) % 1000003
  }
  return [check, byValue[0].id, byName[0].name, plain[0]]
}

main()
