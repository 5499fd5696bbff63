// Picks the line of a failing process's output that states the reason. Exceptions have it before or after a stack; npm
// has it among advice.

/** An exception, by its class: `Error: no token`, `ModuleNotFoundError: …`, `thread 'main' panicked at …`. */
const exception = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b(?: \[\w+\])?: |panic: |thread '.*' panicked)/
/** Lines of package runners that are not the reason. */
const besides =
  /^npm (?:error|ERR!) (?:code |A complete log|path |dest |syscall |errno |\d+\s*$|$)|^\s*at |^\s*\^|^Node\.js v|npm (?:warn|WARN|notice)/
const failure =
  /\b(?:errors?|failed|failure|fatal|cannot|can't|could not|unable|missing|not found|no such|denied|invalid|required|refused|unauthorized|forbidden|expired)\b/i

/** Empty if no line has the reason. */
export function lineThatSaysWhy(lines: readonly string[]): string {
  const said = lines.filter((line) => !besides.test(line))
  return (said.findLast((line) => exception.test(line)) ?? said.find((line) => failure.test(line)) ?? '').trim()
}
