// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An event actor. */
export interface EventActor {
  /**
   * The type of actor: an API key (`api_key`), an operator in the console (`operator`), a user who was logged in or
   * authenticated in that request (`user`), an unidentified visitor on the pages of a connected app (`client_app`), or
   * the service itself (`system`).
   */
  readonly type: "api_key" | "operator" | "user" | "client_app" | "system"
  /**
   * The ID of the key, operator, user or connected app, or the name of the background job, such as `ExpireMemberships`.
   * Null for the pages of a realm without an app, and for the start of the service.
   */
  readonly id: string | null
  /** Only for an operator: the email at the time of the event. */
  readonly email?: string
}
