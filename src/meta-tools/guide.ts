// guide.md: the page about programs that a model can read.

import { type Dialect, dialectOf } from '../interpreter/index.js'

/** The guide's text, with the inputs that this caller's programs have: clock, random numbers, memory. */
export function guideFor(switches: Partial<Dialect>): string {
  const { clock, random, memory } = dialectOf(switches)
  const notPython = absent(clock ? '' : 'time of day', random ? '' : 'unseeded randomness')
  const notScript = absent(clock ? '' : '`Date.now()`', random ? '' : '`Math.random`')
  return `# Writing programs

A program is Starlark, which reads like Python, or JavaScript (at the end). It runs once, in a sandbox, from a fresh start; only what it prints
and the global \`result\` come back.

\`\`\`python
issues = github.list_issues(owner="octo", repo="hello", state="open")
by_author = {}
for issue in issues:
    by_author.setdefault(issue["user"]["login"], []).append(issue["title"])
result = {who: len(titles) for who, titles in by_author.items()}
\`\`\`

## Calling tools
- Servers are global names, tools their functions, named as in the stub files. \`parallel(fn, items)\` overlaps calls.
- Arguments by keyword, in stub order, or as one dict: \`t(a=1)\`, \`t(1)\`, \`t({"a": 1})\`. \`= ...\` in a stub means optional: leave it out.
- A parameter named like a keyword has a trailing \`_\` (\`from_="x"\`).
- A result is the tool's structured data, else its text. JSON text is what you use it as: \`r["k"]\`, \`r.get("k")\` data,
  \`r.splitlines()\` text. With \`len(r)\` or \`in\` alone write \`json.loads(r)\` or \`str(r)\`. Print some of \`Any\`.
- Images and files come as \`{"type", "mimeType", "size", "path"}\`; the path can be read with readToolFile.
- A failing tool raises: \`try: ... except ToolError as e: print(e)\`. Wrong arguments fail before anything is sent.
- \`r = t.safe(a=1)\` does not raise: \`r.ok\`, \`r.value\`, \`r.error\`. \`help(server.tool)\` prints its documentation.
- \`runtime.search_tool_docs(query)\`, \`.list_tools(server)\` find tools; \`runtime.call(server, tool, {})\` calls one.

## Language
- Works: functions, lambda, \`while\`, comprehensions, f-strings, \`try\`, \`raise\`, slices, \`:=\`, sets, small classes, generators, \`match\`.
- Python's builtins, and without import: \`json math re collections itertools functools statistics datetime decimal string textwrap base64 hashlib copy\`.
- Not there: files, network, ${notPython}other imports, \`eval\`. ${clock ? 'The clock stands at the start of the run.' : "Pass today's date in as text."}

## JavaScript
\`\`\`js
const issues = await github.list_issues({ owner: "octo", state: "open" })
const bodies = await Promise.all(issues.map(i => github.get_issue({ number: i.number })))
return bodies.length
\`\`\`
- Stubs: \`servers/NAME.d.ts\`. Without any \`await\`, \`async\`, \`Promise\` or \`.then\` in the program, calls give plain values.
- The answer is what \`return\` gives, else \`result\`, else the last expression. \`console.log\` prints.
- Not there: \`import\`, \`require\`, ${notScript}\`fetch\`. Integers beyond 2**53 are BigInt.

## Answering
- Filter and aggregate in the program; don't print whole tool results.
- Long answers are cut, all is in \`results/\`: readToolFile(fileName, startLine, endLine), later
  \`results.load("run-3")\`; \`artifacts.save(name, text)\`.
- \`memory.set(key, value)\`, \`.get(key, default)\` last over runs${memory ? '' : ' with `state: "session"`'}.
- After an error read "done before this": those calls have happened. Repeat only what is safe to repeat, or
  submit with \`reuse: "run-3"\`: identical leading calls take their results from that run.
`
}

function absent(...names: readonly string[]): string {
  return names.map((name) => (name === '' ? '' : `${name}, `)).join('')
}
