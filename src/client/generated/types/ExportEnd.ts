// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An export end. */
export interface ExportEnd {
  /** The type of the object: always `export_end`. */
  readonly object: "export_end"
  /** The number of users in the export. */
  readonly users: number
}
