declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  /** The parts of the provider's interface used in tests. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    /** The methods of its clients. */
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
