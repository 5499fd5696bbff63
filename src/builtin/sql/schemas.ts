// What the tools of `sql` take and give, whatever the database.

import { z } from 'zod'

/** Of a query, in characters. */
export const LONGEST_QUERY = 20_000
export const READS = { readOnlyHint: true, openWorldHint: false } as const

export const limitArgument = z.int().min(1).max(100_000).optional().describe('stop after so many rows')
export const rowsShape = z.array(z.record(z.string(), z.unknown()))
