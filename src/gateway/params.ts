/** The parameters of a request or a notification, in the protocol's form. */
export type Params = Readonly<Record<string, unknown>>
