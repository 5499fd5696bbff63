// What an operation is asked, and how it answers.

import type { RoutedRequest } from '../index.js'
import type { OperationName, Parameters } from './operations.js'
import type { Viewer } from './viewer.js'

export interface Asked {
  readonly viewer: Viewer
  /** Those of the path. */
  readonly parameters: Parameters
  /** Checked, in the form that the operation takes. */
  readonly query: unknown
  readonly body: unknown
  readonly routed: RoutedRequest
}

/** Each resolves with the body of its answer; undefined: it has answered, or there is none. */
export type Answers = Readonly<Record<Exclude<OperationName, 'login'>, (asked: Asked) => Promise<unknown>>>
