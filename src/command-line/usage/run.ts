import { type Command, Option } from 'commander'
import { examples, finish, withThreads } from '../command.js'
import {
  clockOption,
  duration,
  languageOption,
  memoryOption,
  moment,
  randomOption,
  readOnlyOption,
  wholeNumber,
} from './options.js'

export function addRun(starbind: Command): void {
  starbind
    .command('run [file] [args...]')
    .description('run a program from a file, from a pipe, or from the command line (-e); args are for the program')
    .allowUnknownOption()
    .helpOption(false)
    .option('-e, --eval <code>', 'the program itself')
    .option('--json', 'print one JSON object: ok, result, logs, calls, error, stats')
    .option('--events', 'print JSON lines: every event as it happens, then the object of --json')
    .addOption(readOnlyOption())
    .option('--ask', 'ask before each call of a tool that its server does not declare read-only')
    .addOption(new Option('--timeout <duration>', 'the time limit: 500ms, 5s, 2m').argParser(duration))
    .addOption(languageOption())
    .option('--save <folder>', 'write the files that its tools answered or it saved into this folder')
    .option('--timeline <file>', 'write the waterfall of its calls as SVG')
    .option('--strict', 'pure Starlark, without what Python adds')
    .addOption(clockOption())
    .addOption(randomOption())
    .addOption(memoryOption())
    .addOption(new Option('--now <moment>', 'the start time that the program sees, as ISO text').argParser(moment))
    .addOption(new Option('--seed <number>', 'the seed of its random numbers').argParser(wholeNumber))
    .option('-h, --help', 'print this help, or that of a program that has a function main')
    .addHelpText(
      'after',
      examples(
        'starbind run report.star --timeout 30s',
        'starbind run greet.py Ada --count 3    # for def main(name: str, count: int = 1)',
        'starbind run greet.py --help',
        'starbind run :report --month 2026-05   # programs/report.star beside the configuration',
        "starbind run -e 'print(1 + 1)'",
        'echo "result = 6 * 7" | starbind run --json',
        'starbind run report.star --events | jq -r \'select(.type == "call.finished") | .tool\'',
      ),
    )
    .action(async (file: string | undefined, rest: string[], _, command: Command) => {
      const { run } = await withThreads(import('../commands/run.js'))
      await finish(run({ file, rest: withoutDashes(rest), options: command.optsWithGlobals(), command }))
    })
}

/** After an option that is not ours, commander leaves the `--` in that ends our options. */
function withoutDashes(rest: readonly string[]): readonly string[] {
  const count = (words: readonly string[]): number => words.filter((word) => word === '--').length
  const first = rest.indexOf('--')
  return first >= 0 && count(rest) === count(process.argv) ? rest.toSpliced(first, 1) : rest
}
