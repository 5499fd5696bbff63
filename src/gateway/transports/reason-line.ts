/** An exception with its class: `Error: no token`, `ModuleNotFoundError: …`, `thread 'main' panicked at …`. */
const exception = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b(?: \[\w+\])?: |panic: |thread '.*' panicked)/
/** Lines of package runners that give advice instead of a reason. */
const besides =
  /^npm (?:error|ERR!) (?:code |A complete log|path |dest |syscall |errno |\d+\s*$|$)|^\s*at |^\s*\^|^Node\.js v|npm (?:warn|WARN|notice)/
const failure =
  /\b(?:errors?|failed|failure|fatal|cannot|can't|could not|unable|missing|not found|no such|denied|invalid|required|refused|unauthorized|forbidden|expired)\b/i

/**
 * The line of a failing process's output that states the reason; empty if none does. An exception has it before or
 * after a stack, npm among its advice.
 */
export function reasonLine(lines: readonly string[]): string {
  const said = lines.filter((line) => !besides.test(line))
  return (said.findLast((line) => exception.test(line)) ?? said.find((line) => failure.test(line)) ?? '').trim()
}
