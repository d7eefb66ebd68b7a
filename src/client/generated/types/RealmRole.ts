// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A realm role. */
export interface RealmRole {
  /** The displayed name, unique within the realm. */
  readonly name: string
  /**
   * The permissions of members with the role: up to 20 tags, in the same format as for memberships. `ar:owner` is not
   * allowed, because ownership is transferred instead. `ar:admin` allows managing the team. No two roles can have the
   * same permissions.
   */
  readonly permissions: ReadonlyArray<string> | string
}
