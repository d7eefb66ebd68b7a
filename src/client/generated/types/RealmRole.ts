// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A realm role. */
export interface RealmRole {
  /** The name, as people see it. No two roles share one. */
  readonly name: string
  /**
   * The permissions that members with the role have: up to 20 tags, as for memberships, and not `ar:owner`, since an
   * org is handed over instead. Who has `ar:admin` manages the team. No two roles share the same ones.
   */
  readonly permissions: ReadonlyArray<string> | string
}
