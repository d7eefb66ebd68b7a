// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A webhook request. */
export interface WebhookRequest {
  /** The method: always `POST`. */
  readonly method: "POST"
  /** The hook's destination. */
  readonly url: string
  /** The headers, without `webhook-signature`. `webhook-timestamp` is the time of this response. */
  readonly headers: { readonly [name: string]: string }
  /**
   * The body, as JSON with the names of the hook's version. The event's token is null for keys below level `write`, or
   * if it can no longer be used.
   */
  readonly body: string
}
