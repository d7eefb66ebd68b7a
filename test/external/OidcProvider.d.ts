declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  /** As much of the peer's interface as the tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
