/**
 * Counts the pieces of an article that were sold by phone.
 *
 * @param {string} sku The article.
 * @param {integer} [year]
 */
async function main({ sku, year = 2025 }) {
  const { content } = await files.read_text_file({ path: `orders/phone-${year}.json` })
  const items = JSON.parse(content).flatMap((order) => order.items)
  return items.filter((item) => item.sku === sku).reduce((sum, { qty }) => sum + qty, 0)
}
