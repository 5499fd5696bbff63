// Decides which dict displays become records (see prelude/containers/dict.ts).

import type { DictExpr } from '../syntax/nodes.js'

/** True if a record can hold this key. */
export function isRecordKey(k: string): boolean {
  return k !== '' && !/^[0-9]/.test(k) && k !== '__proto__' && k !== 'constructor'
}

/** The constant keys of a display that becomes a record: all are ordinary strings, and no two are equal. */
export function recordKeys(e: DictExpr): readonly string[] | undefined {
  const keys: string[] = []
  for (const entry of e.entries) {
    if (entry.key?.kind !== 'StringLiteral' || !isRecordKey(entry.key.value)) return undefined
    keys.push(entry.key.value)
  }
  return keys.length > 0 && new Set(keys).size === keys.length ? keys : undefined
}

export function makesRecord(e: DictExpr): boolean {
  return recordKeys(e) !== undefined
}
