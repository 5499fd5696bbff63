// What a caller may ask for besides the meta-tools. Plain data.

/** What a caller may ask for besides the meta-tools. */
export interface Offers {
  readonly directTools: boolean
  readonly resources: boolean
  readonly prompts: boolean
}
