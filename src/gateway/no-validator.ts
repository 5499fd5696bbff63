// The SDK's clients and servers would validate structured content, which is checked elsewhere, with ajv, which takes
// longer to load and to set up than the rest of a connection. The bundles leave it out.

import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'

export const noValidator: { readonly jsonSchemaValidator: jsonSchemaValidator } = {
  jsonSchemaValidator: {
    getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
  },
}
