/** The times that decide how soon a process counts as gone. Tests shorten them before they open a store. */
export const timing = {
  /** A process, and a worker's hold on a run, without a sign of life for this long count as gone. */
  leaseMs: 15_000,
}
