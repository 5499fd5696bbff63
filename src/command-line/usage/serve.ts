import { type Command, InvalidArgumentError } from 'commander'
import { defaultPort } from '../../index.js'
import { examples, finish } from '../command.js'

export function addServe(starbind: Command): void {
  starbind
    .command('serve')
    .description('serve MCP over stdio, or over HTTP for many callers')
    .option('--http', `Streamable HTTP on /mcp and /mcp/SERVER, with /health and /metrics`)
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1; others need keys: starbind keys add)')
    .option('--port <number>', `the port to listen on (default: ${defaultPort})`, port)
    .option(
      '--model <name=url>',
      'a model for chat clients on /v1, at the base URL of its API; may be repeated (its key: STARBIND_MODEL_KEY)',
      (text, models: readonly string[]) => [...models, text],
      [],
    )
    .addHelpText(
      'after',
      examples(
        'starbind serve',
        'starbind serve --http',
        'starbind serve --host 0.0.0.0 --port 8080',
        'starbind serve --http --model qwen3:8b=http://127.0.0.1:11434/v1',
      ),
    )
    .action(async (_, command: Command) => {
      const { serve } = await import('../commands/serve.js')
      await finish(serve(command.optsWithGlobals()))
    })
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new InvalidArgumentError('Write a port number.')
  return number
}
