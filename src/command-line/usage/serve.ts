import type { Command } from 'commander'
import { defaultPort } from '../../index.js'
import { examples, finish } from '../command.js'
import { modelOption, portOption, wholeNumber } from './options.js'

export function addServe(starbind: Command): void {
  starbind
    .command('serve')
    .description('serve MCP over stdio, or over HTTP for many callers')
    .option('--http', `Streamable HTTP on /mcp and /mcp/SERVER, with the page on /, /readyz and /metrics`)
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1; others need keys: starbind keys add)')
    .addOption(portOption(`the port to listen on (default: ${defaultPort})`))
    .addOption(modelOption())
    .option(
      '--work <number>',
      'background runs at once, with a store in Redis (default: 4; 0: starbind work has them)',
      wholeNumber,
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
