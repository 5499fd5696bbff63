// What a caller may ask for besides the meta-tools. Plain data.

export interface Offers {
  readonly directTools: boolean
  readonly resources: boolean
  readonly prompts: boolean
}
