import type { Diagnostic } from '../index.js'

/** The failure of a model, with the HTTP status that tells it best. */
export class ModelError extends Error {
  readonly diagnostic: Diagnostic
  readonly status: number

  constructor(diagnostic: Diagnostic, status: number) {
    super(diagnostic.message)
    this.name = 'ModelError'
    this.diagnostic = diagnostic
    this.status = status
  }
}
