function main() {
  const factorial = (n) => {
    let r = 1n
    for (let i = 2; i <= n; i++) r *= BigInt(i)
    return r
  }
  let check = 0
  for (let k = 0; k < 20; k++) {
    const f = factorial(500 + k)
    const digits = String(f)
    let dsum = 0
    for (let i = 0; i < digits.length; i++) dsum += Number(digits[i])
    check = (check * 31 + dsum + Number(f % 1000000007n) + Number((f / factorial(498)) % 1009n)) % 1000000007
  }
  return [check, String(factorial(500)).length]
}

main()
