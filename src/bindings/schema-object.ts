// A JSON Schema that is an object, before anything is known of its keywords. Knows JSON only.

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
