// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An export start. */
export interface ExportStart {
  /** The type of the object: always `export`. */
  readonly object: "export"
  /**
   * Whether the export contains passwords, authenticator apps, API keys and access tokens. If false, users are imported
   * without them.
   */
  readonly secrets: boolean
}
