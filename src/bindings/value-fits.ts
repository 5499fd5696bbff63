import { literalKind, type Type } from './type.js'

const MOST_STEPS = 50_000

/**
 * True when the value is surely of the type. Records must have their required keys and no unknown ones. Expensive cases
 * count as unsure.
 */
export function valueFits(value: unknown, type: Type, depth = 0, steps = { left: MOST_STEPS }): boolean {
  if (depth > 20 || --steps.left < 0) return false
  const fits = (inner: unknown, of: Type): boolean => valueFits(inner, of, depth + 1, steps)
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
      steps.left -= type.values.length
      return type.values.some((one) => one === value || (literalKind(one) === 'float' && typeof value === 'number'))
    case 'list':
      return Array.isArray(value) && value.every((item) => fits(item, type.item))
    case 'tuple':
      return false
    case 'dict':
      return (
        isPlain(value) && Object.entries(value).every(([key, inner]) => fits(key, type.key) && fits(inner, type.value))
      )
    case 'record': {
      if (!isPlain(value)) return false
      steps.left -= type.fields.length
      const isFilled = type.fields.every((field) =>
        Object.hasOwn(value, field.key) ? fits(value[field.key], field.type) : !field.required,
      )
      const known = new Set(type.fields.map((field) => field.key))
      return isFilled && Object.keys(value).every((key) => known.has(key))
    }
    case 'alias':
      return fits(value, type.target)
    case 'union':
      return type.members.some((member) => fits(value, member))
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
