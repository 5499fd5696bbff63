function main() {
  return 1
}

main()
