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
   * "users": …}`; an export without its last line was cut off. Between them is one user per line, API users included,
   * oldest first, read from the database as the response is sent. Users created in the meantime may or may not be
   * included. Imports accept the whole export, so a realm can be moved, or copied into an empty realm, whose export is
   * then the same.
   *
   * Hashes and secrets are included only for keys of level `admin_all_realms`; for others, passwords, authenticator
   * apps, API keys and access tokens are left out, and `secrets` is false. Always left out are API keys of which only a
   * digest is stored, emails that await verification, memberships in closed orgs, and a user's memberships beyond the
   * oldest 1,000. `reference` is the ID if a user or an org has no reference, or shares it.
   *
   * A realm can have one import or export at a time on each node; another returns 409 `import_running`.
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
