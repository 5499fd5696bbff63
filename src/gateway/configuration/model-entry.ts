// Resolves the references in entries of `models`, and checks names and addresses beyond the schema.
// Invariant: an unset variable in one entry makes that model unusable, and nothing else.

import type { Diagnostic } from '../../diagnostics/index.js'
import { wrong } from './complaints.js'
import { defined } from './defined.js'
import type { ModelConfig, ModelEntry } from './models.js'
import { References } from './references.js'
import type { CheckOptions } from './surroundings.js'

/** Adds mistakes of the entries to `faults`. */
export function modelConfigs(
  entries: Readonly<Record<string, ModelEntry>>,
  options: CheckOptions,
  faults: Diagnostic[],
): ModelConfig[] {
  return Object.entries(entries).map(([name, entry]) => modelConfig(name, entry, { options, faults }))
}

function modelConfig(
  name: string,
  { baseUrl, apiKey, name: model, headers, ...rest }: ModelEntry,
  { options, faults }: { readonly options: CheckOptions; readonly faults: Diagnostic[] },
): ModelConfig {
  const place = ['models', name]
  const unset: Diagnostic[] = []
  const references = new References(place, options, unset)
  const url = references.resolve(baseUrl, ['baseUrl'])
  const key = references.resolve(apiKey ?? '', ['apiKey'])
  if (unset.length === 0 && (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)))
    faults.push(wrong(options, [...place, 'baseUrl'], 'something else', 'an http or https URL'))
  // A client writes `model|tool` to choose tools.
  if (name.includes('|')) faults.push(wrong(options, place, 'a name with |', 'a name without it'))
  references.hide(key)
  return {
    name,
    baseUrl: url,
    model: references.resolve(model ?? name, ['name']),
    headers: references.resolveEach(headers ?? {}, 'headers', /./),
    ...defined({ ...rest, apiKey: key === '' ? undefined : key }),
    credentials: [...references.credentials],
    faults: unset,
  }
}
