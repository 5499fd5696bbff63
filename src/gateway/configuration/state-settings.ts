// The settings of a deployment besides the address of its store: where contents of files are, and the key of logins.

import path from 'node:path'
import type { Diagnostic } from '../../diagnostics/index.js'
import { wrong } from './complaints.js'
import { defined } from './defined.js'
import { References } from './references.js'
import type { CodeModeSettings } from './shape.js'
import type { CheckOptions } from './surroundings.js'

type StateSettings = Pick<CodeModeSettings, 'stateFiles' | 'stateBucket' | 'stateKey'>
type GivenSettings = Pick<CodeModeSettings, (typeof NEED_STORE)[number]>

/** They mean something only where several machines share a store. */
const NEED_STORE = ['stateFiles', 'stateBucket', 'stateKey', 'statePrefix', 'runsAtOnce', 'runsWaiting'] as const

const SHORTEST_KEY = 16

/** The variables of the AWS tools. */
const USUAL = {
  endpoint: 'AWS_ENDPOINT_URL:-',
  region: 'AWS_REGION:-us-east-1',
  accessKeyId: 'AWS_ACCESS_KEY_ID',
  secretAccessKey: 'AWS_SECRET_ACCESS_KEY',
  sessionToken: 'AWS_SESSION_TOKEN:-',
}

/** True if runs are kept in Redis or Valkey, at this address. */
export function isStoreUrl(state: string | false | undefined): state is `redis${string}` {
  return typeof state === 'string' && /^rediss?:\/\//i.test(state)
}

/** True if the contents of files are in a bucket. */
export function isBucketUrl(place: string | undefined): place is `s3://${string}` {
  return place?.startsWith('s3://') === true
}

/**
 * The settings with their references resolved, and with the usual values for a bucket. `isShared`: several machines share the
 * store of runs.
 */
export function stateSettings(
  settings: GivenSettings,
  options: CheckOptions & { readonly isShared: boolean },
  faults: Diagnostic[],
): StateSettings {
  const idle = options.isShared ? [] : NEED_STORE.filter((name) => settings[name] !== undefined)
  for (const name of idle)
    faults.push(wrong(options, ['codeMode', name], 'a value', 'none, or redis://… in codeMode.state'))
  if (idle.length > 0) return {}
  const { stateFiles, stateBucket, stateKey } = settings
  const resolve = (value: string, ...place: readonly string[]) =>
    new References([], options, faults).resolve(value, ['codeMode', ...place])
  const known = faults.length
  const key = stateKey === undefined ? undefined : resolve(stateKey, 'stateKey')
  if (key !== undefined && key.length < SHORTEST_KEY && faults.length === known)
    faults.push(wrong(options, ['codeMode', 'stateKey'], 'a shorter text', `at least ${SHORTEST_KEY} characters`))
  const place = stateFiles === undefined ? undefined : resolve(stateFiles, 'stateFiles')
  if (!isBucketUrl(place))
    return defined({ stateFiles: place === undefined ? undefined : path.resolve(options.folder, place), stateKey: key })
  if (!/^s3:\/\/[a-z\d][a-z\d.-]{1,61}[a-z\d](\/[\w./-]*)?$/.test(place))
    faults.push(wrong(options, ['codeMode', 'stateFiles'], 'something else', 's3://BUCKET[/PREFIX]'))
  const given: Readonly<Record<string, string | undefined>> = { ...stateBucket }
  const bucket = Object.entries(USUAL).map(
    ([name, variable]) => [name, resolve(given[name] ?? `\${${variable}}`, 'stateBucket', name)] as const,
  )
  const checked = Object.fromEntries(bucket.filter(([, value]) => value !== ''))
  if (checked.endpoint !== undefined && !/^https?:\/\//.test(checked.endpoint) && faults.length === known)
    faults.push(wrong(options, ['codeMode', 'stateBucket', 'endpoint'], 'something else', 'an http:// or https:// URL'))
  return defined({ stateFiles: place, stateBucket: checked, stateKey: key })
}
