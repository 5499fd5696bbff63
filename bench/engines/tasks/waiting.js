async function main() {
  return (await wait({ x: 1 })).id
}

main()
