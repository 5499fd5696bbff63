// What the conformance suite starts as a client: has the test's own process be it. The suite gives the address of its
// server as the last argument, and the rest in the environment.
const [place, url] = [process.argv[2], process.argv.at(-1)]
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || '{}')
const response = await fetch(place, { method: 'POST', body: JSON.stringify({ url, scenario, context }) })
if (!response.ok) {
  console.error(await response.text())
  process.exitCode = 1
}
