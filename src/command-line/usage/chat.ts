import { type Command, Option } from 'commander'
import { examples, finish, withThreads } from '../command.js'
import { number, someNumber, wholeNumber } from './options.js'

export function addChat(starbind: Command): void {
  starbind
    .command('chat [message...]')
    .description('talk to a model that may call the tools; with a message, or one from stdin, get one answer')
    .option(
      '--model <model>',
      'a name of the block models, NAME=BASE_URL or BASE_URL (default: the first of the block)',
    )
    .addOption(
      new Option('--mode <mode>', 'how the model reaches tools (default: as configured, else auto)').choices([
        'code',
        'direct',
        'both',
        'auto',
      ]),
    )
    .option('--system <text>', 'instructions for the model')
    .addOption(new Option('--temperature <number>', 'how much the model varies its words').argParser(number))
    .addOption(new Option('--max-tokens <number>', 'the longest reply, in tokens').argParser(someNumber))
    .addOption(new Option('--max-turns <number>', 'replies with tool calls in one turn').argParser(wholeNumber))
    .addOption(new Option('-c, --continue', 'go on with the last conversation').conflicts('resume'))
    .option('--resume <trace>', 'go on with a conversation that starbind traces lists')
    .option('--read-only', 'offer only tools that their servers declare read-only')
    .option('--ask', 'ask before each call of a tool that its server does not declare read-only')
    .addOption(
      new Option('--trace <what>', 'what starbind traces shows later (default: all_messages)').choices([
        'none',
        'last_message',
        'all_messages',
      ]),
    )
    .option('--json', 'print one JSON object: ok, why, answer, calls, pending, usage, trace, error')
    .option('--events', 'print JSON lines: every event as it happens, then the object of --json')
    .addHelpText(
      'after',
      examples(
        'starbind chat',
        'starbind chat --model qwen3=http://127.0.0.1:11434/v1',
        "starbind chat --mode code 'Which open issues have no answer?'",
        "starbind chat --continue 'And which of them are mine?'",
        'git diff | starbind chat --system "Review this change." --json | jq -r .answer',
      ),
    )
    .action(async (words: string[], _, command: Command) => {
      const { chat } = await withThreads(import('../commands/chat.js'))
      await finish(chat(words, command.optsWithGlobals()))
    })
}
