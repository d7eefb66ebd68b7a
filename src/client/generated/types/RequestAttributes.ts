// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A request attributes. */
export interface RequestAttributes {
  /** The IP address of the person who acted; null if not given. */
  readonly ip: string | null
  /** The person's software; null if not given. */
  readonly client: string | null
}
