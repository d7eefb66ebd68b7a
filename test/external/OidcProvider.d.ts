declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  /** As much of the peer's interface as the tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    /** What is asked of its clients. */
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
