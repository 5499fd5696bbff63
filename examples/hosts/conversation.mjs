// What the scripted model of these examples does: it looks around, reads a stub, runs a program that fails, corrects it, and answers with what the
// program found. Knows no provider's format.

export const question = 'How many phone orders were placed in each month of 2025, and which month was the best?'

const read = 'orders = json.decode(shop.read_text_file(path="orders/phone-2025.json")["content"])'

/** One step for each answer that the model has got so far: the calls that it makes, or its words. */
export const steps = [
  { calls: [{ name: 'listToolFiles', args: {} }] },
  {
    calls: [
      { name: 'readToolFile', args: { fileName: 'servers/shop/read_text_file.pyi' } },
      { name: 'getToolDocs', args: { server: 'shop', tool: 'list_directory' } },
    ],
  },
  {
    calls: [
      {
        name: 'executeToolCode',
        args: { code: `${read}\nresult = [order["month"] for order in orders]` },
      },
    ],
  },
  {
    calls: [
      {
        name: 'executeToolCode',
        args: {
          code: `${read}
months = {}
for order in orders:
    month = order["placed"][:7]
    months[month] = months.get(month, 0) + 1
best = max(months, key=lambda month: months[month])
result = {"best": best, "orders": months[best], "months": len(months)}`,
        },
      },
    ],
  },
  {
    words: (answer) => {
      const { best, orders, months } = JSON.parse(/^result: (.*)$/m.exec(answer)[1])
      return `Phone orders came in in ${months} months of 2025. ${best} was the best, with ${orders} orders.`
    },
  },
]

/** The server that the examples use: a folder with the exports of a small shop. */
export const servers = {
  shop: { command: 'npx', args: ['mcp-server-filesystem', 'examples/shop/data'] },
}

/** One line for each call, as an example shows what happened. */
export function told(name, answer) {
  console.log(`${name}: ${answer.split('\n')[0]}`)
}
