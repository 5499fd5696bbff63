async function main() {
  const rows = await Promise.all(Array.from({ length: 50 }, (_, i) => slow({ x: i })))
  return rows.reduce((sum, r) => sum + r.id, 0)
}

main()
