// The reference servers for a knowledge graph and for odds and ends.
import { pick, range, sentence, turns } from './making.mjs'

const kinds = ['customer', 'supplier', 'product']
const entities = range(90).map((i) => ({
  name: `${pick(kinds, i)}-${i}`,
  entityType: pick(kinds, i),
  observations: range(1 + (i % 4)).map((j) => sentence(i + j, 12)),
}))
const relations = range(120).map((i) => ({
  from: entities[(i * 3) % 90].name,
  to: entities[(i * 7 + 2) % 90].name,
  relationType: pick(['buys', 'delivers', 'replaces'], i),
}))

export const memory = {
  catalogue: 'server-memory',
  answer: {
    create_entities: ({ entities: made }) => ({ entities: made }),
    read_graph: () => ({ entities, relations }),
    search_nodes: ({ query }) => {
      const found = entities.filter((one) => one.name.includes(query) || one.entityType.includes(query))
      const names = new Set(found.map(({ name }) => name))
      return { entities: found, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) }
    },
    open_nodes: ({ names }) => ({
      entities: entities.filter(({ name }) => names.includes(name)),
      relations: relations.filter(({ from, to }) => names.includes(from) || names.includes(to)),
    }),
  },
}

export const everything = {
  catalogue: 'server-everything',
  answer: { 'get-sum': ({ a, b }) => `The sum of ${a} and ${b} is ${a + b}.` },
}

export const tasks = [
  {
    id: 'memory-one-node',
    question: 'What do you remember of customer-9?',
    servers: ['memory'],
    direct: [[['memory', 'open_nodes', { names: ['customer-9'] }]]],
    codeMode: turns(
      'open nodes of the graph',
      'servers/memory.pyi',
      'result = memory.open_nodes(names=["customer-9"])["entities"][0]["observations"]',
    ),
    expected: () => entities[9].observations,
  },
  {
    id: 'memory-most-connected',
    question: 'Which five nodes of the knowledge graph have the most relations?',
    servers: ['memory'],
    direct: [[['memory', 'read_graph', {}]]],
    codeMode: turns(
      'read the knowledge graph',
      'servers/memory.pyi',
      `counts = {}
for r in memory.read_graph()["relations"]:
    for end in (r["from"], r["to"]):
        counts[end] = counts.get(end, 0) + 1
result = [[n, counts[n]] for n in sorted(counts, key=lambda n: (-counts[n], n))[:5]]`,
    ),
    expected: () => {
      const counts = {}
      for (const { from, to } of relations) for (const end of [from, to]) counts[end] = (counts[end] ?? 0) + 1
      return Object.entries(counts)
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, 5)
    },
  },
  {
    id: 'memory-lonely',
    question: 'Which suppliers in the knowledge graph deliver nothing?',
    servers: ['memory'],
    direct: [[['memory', 'search_nodes', { query: 'supplier' }]]],
    codeMode: turns(
      'search nodes',
      'servers/memory.pyi',
      `found = memory.search_nodes(query="supplier")
busy = {r["from"] for r in found["relations"] if r["relationType"] == "delivers"}
result = [e["name"] for e in found["entities"] if e["name"] not in busy]`,
    ),
    expected: () => {
      const busy = new Set(relations.filter(({ relationType }) => relationType === 'delivers').map(({ from }) => from))
      return entities
        .filter(({ name, entityType }) => entityType === 'supplier' && !busy.has(name))
        .map(({ name }) => name)
    },
  },
  {
    id: 'everything-sum',
    question: 'Let the everything server add 17 and 25.',
    servers: ['everything'],
    direct: [[['everything', 'get-sum', { a: 17, b: 25 }]]],
    codeMode: turns('sum of two numbers', 'servers/everything.pyi', 'result = everything.get_sum(a=17, b=25)'),
    expected: 'The sum of 17 and 25 is 42.',
  },
]
