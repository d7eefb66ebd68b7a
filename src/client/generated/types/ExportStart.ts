// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An export start. */
export interface ExportStart {
  /** The type of the object: always `export`. */
  readonly object: "export"
  /**
   * Whether passwords, authenticator apps, API keys and access tokens are in the export. If false, importing it creates
   * users without them.
   */
  readonly secrets: boolean
}
