// Whether a JSON value is of a type. Knows the model of types only.

import { literalKind, type Type } from './type.js'

/** True when the value is surely of the type. Records must have their required keys and no unknown ones. */
export function valueFits(value: unknown, type: Type, depth = 0): boolean {
  if (depth > 20) return false
  const fits = (inner: unknown, of: Type): boolean => valueFits(inner, of, depth + 1)
  switch (type.kind) {
    case 'any':
      return true
    case 'never':
      return false
    case 'none':
      return value === null
    case 'bool':
      return typeof value === 'boolean'
    case 'int':
      return Number.isInteger(value)
    case 'float':
      return typeof value === 'number'
    case 'str':
      return typeof value === 'string'
    case 'literal':
      return type.values.some((one) => one === value || (literalKind(one) === 'float' && typeof value === 'number'))
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(item, type.item))
    case 'tuple':
      return false
    case 'dict':
      return (
        isPlain(value) && Object.entries(value).every(([key, inner]) => fits(key, type.key) && fits(inner, type.value))
      )
    case 'record':
      return (
        isPlain(value) &&
        type.fields.every((field) =>
          Object.hasOwn(value, field.key) ? fits(value[field.key], field.type) : !field.required,
        ) &&
        Object.keys(value).every((key) => type.fields.some((field) => field.key === key))
      )
    case 'alias':
      return fits(value, type.target)
    case 'union':
      return type.members.some((member) => fits(value, member))
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
