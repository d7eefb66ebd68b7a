// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, CallOptions, Exported, Form } from "../../Form.ts"

/** The parameters of `GET /v2/exports`. */
export interface ExportUsers {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** Export of all users, in the format of imports. */
export interface Exports<F extends Form> {
  /**
   * Export users.
   *
   * The response is NDJSON. The first line is `{"object": "export", "secrets": …}`, the last `{"object": "export_end",
   * "users": …}`; an export without its last line is incomplete. Between them, there is one user per line, including
   * API users, oldest first. Users are read from the database while the response is sent, and users created in the
   * meantime may or may not be included. You can import the complete export unchanged, to move a realm or to copy it
   * into an empty realm, whose export is then identical.
   *
   * Hashes and secrets are included only for keys of level `admin_all_realms`; for other keys, passwords, authenticator
   * apps, API keys and access tokens are omitted, and `secrets` is false. Exports never include API keys stored only as
   * a digest, emails that are waiting for verification, memberships in closed orgs, or a user's memberships beyond the
   * oldest 1,000. `reference` is the ID if a user or an org has no unique reference.
   *
   * A realm can have one import or export at a time on each node. Starting another returns 409 `import_running`.
   *
   * Events: `realm.exported`.
   *
   * Requires an API key of level `admin_realm`.
   */
  export(query?: ExportUsers, options?: CallOptions): Exported<F>
}

/** Creates the resource's functions from a function that calls the API. */
export const exports = <F extends Form>(call: Call<F>): Exports<F> => ({
  export: (query, options) => call.export({ route: "GET /v2/exports" }, query, options)
})
