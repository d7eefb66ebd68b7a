// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, CallOptions, Form, Imported, Rows } from "../../Form.ts"

/** The parameters of `POST /v2/imports`. */
export interface ImportUsers {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Whether to only check the rows. Nothing is written, and the summary has the numbers that an import would have.
   * Default: false.
   */
  readonly dry_run?: boolean | undefined
  /**
   * Whether to record an event for each change, which hooks then receive. Default: false, which only records
   * `realm.importing`, `realm.imported` and `session.deleted`.
   */
  readonly events?: boolean | undefined
}

/** Import of many users, with their hashes, authenticator apps, profiles at providers and memberships. */
export interface Imports<F extends Form> {
  /**
   * Import users.
   *
   * The body is NDJSON (`Content-Type: application/x-ndjson`): one user per line, up to 100,000 lines of up to 1 MiB,
   * processed as they arrive. A row updates the user with its `reference`, or creates the user if there is none.
   * Updates replace the members in the row and leave all others unchanged. There are three exceptions: keys of
   * `custom`, credentials and memberships are added or changed individually, and existing ones that are not in the row
   * don't change. A membership's `permissions` are replaced entirely. No user, credential, membership or org is
   * deleted.
   *
   * The response has a line for each rejected row, sent as soon as the row is rejected, and a summary at the end. Rows
   * are written in batches of up to 400, each in one transaction. After a crash or a lost connection, send the same
   * rows again; rows already imported count as `unchanged`. Read the response while you send the rows, because the
   * import pauses when 10,000 lines of the response are unread. The import ends if no part of the body arrives for 30
   * seconds. A realm can have one import or export at a time on each node. Starting another returns 409
   * `import_running`. The `Idempotency-Key` is ignored.
   *
   * Events: `realm.importing` with the first change, `realm.imported` with the counts at the end, and `session.deleted`
   * for each session that ends because a row makes its user inactive or replaces the password. `events=true` also
   * records an event for each change (`user.created`, `user.updated`, `user.email.verified`, `org.created`,
   * `membership.created`, `membership.updated`, `membership.deleted`), except those that would send an email.
   *
   * Requires an API key of level `admin_realm`.
   */
  import(rows: Rows<F>, query?: ImportUsers, options?: CallOptions): Imported<F>
}

/** Creates the resource's functions from a function that calls the API. */
export const imports = <F extends Form>(call: Call<F>): Imports<F> => ({
  import: (rows, query, options) =>
    call.import({ route: "POST /v2/imports", query: ["dry_run", "events"] }, rows, query, options)
})
