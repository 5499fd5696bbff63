// @pydantic/monty: an interpreter of a part of Python, written in Rust, in the host's own thread.
import { Monty, runMontyAsync } from '@pydantic/monty'

export async function open(tools) {
  const externalFunctions = Object.fromEntries(
    Object.entries(tools).map(([name, call]) => [name, (...args) => call(Number(args[0].x ?? args[0]))]),
  )
  return {
    run(text) {
      const program = new Monty(
        `import json\n${text.replaceAll('json.encode', 'json.dumps').replaceAll('json.decode', 'json.loads')}\nresult\n`,
      )
      return /\b(slow|wait)\(/.test(text)
        ? runMontyAsync(program, { externalFunctions })
        : program.run({ externalFunctions })
    },
  }
}
