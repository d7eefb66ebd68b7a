// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A webhook request. */
export interface WebhookRequest {
  /** The method: always `POST`. */
  readonly method: "POST"
  /** The hook's destination. */
  readonly url: string
  /** The headers, without `webhook-signature`. `webhook-timestamp` is the time of this answer. */
  readonly headers: { readonly [name: string]: string }
  /**
   * The body, a JSON text in the names of the hook's version. The event's token is null below level `write`, and once
   * it can no longer be used.
   */
  readonly body: string
}
