export type SchemaObject = { readonly [keyword: string]: unknown }

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function own(object: SchemaObject, key: string): boolean {
  return Object.hasOwn(object, key)
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

/** The types that a schema names. A list that is longer than the number of types is ignored. */
export function typesOf(type: unknown): readonly unknown[] {
  return Array.isArray(type) ? [...new Set(type.slice(0, 100))].slice(0, 16) : [type]
}

/** The number of parts to copy when the schema is merged with another. */
export function widthOf(schema: unknown): number {
  if (!isObject(schema)) return 1
  let width = 1
  for (const value of [schema, schema.properties]) if (isObject(value)) width += Object.keys(value).length
  for (const list of [schema.required, schema.enum, schema.anyOf, schema.oneOf])
    if (Array.isArray(list)) width += list.length
  return width
}
