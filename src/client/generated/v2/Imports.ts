// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, CallOptions, Form, Imported, Rows } from "../../Form.ts"

/** The parameters of `POST /v2/imports`. */
export interface ImportUsers {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Whether to check the rows only: nothing is written, and the summary says what would be. Default: false. */
  readonly dry_run?: boolean | undefined
  /**
   * Whether to record an event for each change, which hooks then receive. Default: false, with only `realm.importing`,
   * `realm.imported` and `session.deleted`.
   */
  readonly events?: boolean | undefined
}

/** Bringing many users in, with their hashes, authenticator apps, profiles at providers and memberships. */
export interface Imports<F extends Form> {
  /**
   * Import users.
   *
   * The body is NDJSON (`Content-Type: application/x-ndjson`): a user to a line, up to 100,000 lines of up to 1 MiB,
   * read as they arrive. A row creates the user with its `reference`, or changes that user: members left out stay as
   * they are, others are replaced. Three hold several things: keys of `custom` are added or replaced and the others
   * stay; credentials and memberships are added or changed and the others stay; `permissions` of a membership are the
   * whole list, so that those left out are taken away. No user, credential, membership or org is deleted.
   *
   * The response has a line for each row that is refused, as soon as that is known, and a summary at the end. Rows are
   * written in batches of up to 400, each as a whole: after a crash or a lost connection, send the same rows again, and
   * those that are in are `unchanged`. Read the response while you send, since the import waits for a reader after
   * 10,000 lines of it; it ends if no part of the body arrives for 30 seconds. A realm has one import or export at a
   * time on each node: another is refused with 409 `import_running`. The `Idempotency-Key` is not used.
   *
   * Events: `realm.importing` with the first change, `realm.imported` with the counts at the end, and `session.deleted`
   * for each session that ends because a row makes its user inactive or replaces the password. With `events=true` also
   * those of each change (`user.created`, `user.updated`, `user.email.verified`, `org.created`, `membership.created`,
   * `membership.updated`, `membership.deleted`), except those that ask for something by mail.
   *
   * Requires a key of level `admin_realm`.
   */
  import(rows: Rows<F>, query?: ImportUsers, options?: CallOptions): Imported<F>
}

/** Creates the resource's functions from a function that calls the API. */
export const imports = <F extends Form>(call: Call<F>): Imports<F> => ({
  import: (rows, query, options) =>
    call.import({ route: "POST /v2/imports", query: ["dry_run", "events"] }, rows, query, options)
})
