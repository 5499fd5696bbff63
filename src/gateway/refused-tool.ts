/** In place of a tool that its server lists and that can't be used. */
export class RefusedTool {
  readonly name: string
  readonly reason: string

  constructor(name: string, reason: string) {
    this.name = name
    this.reason = reason
  }
}
