// What the conformance suite starts as a client: has the test's own process be it. The suite gives the address of its
// server as the last argument, and the rest in the environment.

// Loads in a fraction of the time of `fetch`, and the suite starts one of these for each scenario.
import { request } from 'node:http'

const [place, url] = [process.argv[2], process.argv.at(-1)]
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || '{}')
request(place, { method: 'POST' }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1
  response.pipe(process.stderr)
}).end(JSON.stringify({ url, scenario, context }))
