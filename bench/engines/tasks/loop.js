function main() {
  let acc = 1
  let odd = 0
  for (let i = 0; i < 1000; i++) {
    for (let j = 0; j < 1000; j++) {
      acc = (((acc * 31 + i * j + (i ^ j)) % 1000003) + 1000003) % 1000003
      if ((acc & 1) === 1) odd += 1
      acc -= Math.floor(j / 3)
    }
  }
  return [acc, odd]
}

main()
