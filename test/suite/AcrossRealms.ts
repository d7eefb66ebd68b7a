import { expiringTables } from "#store/operations/ExpiredRowsRepo"

/** A lookup of tenant rows without their realm. */
export interface Lookup {
  readonly tables: ReadonlyArray<string>
  /** The columns by which the rows are found or ordered. Empty if all rows are read. */
  readonly by: ReadonlyArray<string>
  /** Restricts the lookup to statements that match, if the columns alone would allow too much. */
  readonly in?: RegExp
  /** The reason why the realm is unknown. */
  readonly reason: string
  /** The way in which a database that is distributed by realm executes the lookup. */
  readonly distributed: string
}

/** Tables that a distributed database copies to each node. Their statements don't have to name the realm. */
export const referenceTables: Readonly<Record<string, string>> = {
  api_keys:
    "A key is looked up by its digest before its realm is known, and may apply to all realms. Keys are few and rarely change.",
  released_subdomains: "A released subdomain still belongs to its last realm, so no other realm must get it."
}

const EACH_NODE = "Each node of the service runs it on one node of the database, for the realms there."

const SPREAD = "One background query for all nodes of the database. No request waits for it."

/**
 * The tables of resources that a request may identify by ID alone. The resource then determines the realm (all-realms
 * keys).
 */
const identified = [
  "auth_providers",
  "credentials",
  "events",
  "invitations",
  "jwt_keys",
  "login_policies",
  "memberships",
  "org_domains",
  "orgs",
  "sessions",
  "signup_tokens",
  "users"
]

const shared = [...Object.keys(referenceTables), "quotas", "idempotent_requests", "console_sessions"]

const ofTenants = (tables: ReadonlyArray<string>) => tables.filter((table) => !shared.includes(table))

/** The lookups that are allowed without a realm. `docs/scale.md` summarizes them. */
export const lookups: ReadonlyArray<Lookup> = [
  {
    tables: identified,
    by: ["id"],
    in: /^select t\.realm_id from/,
    reason: "A key of all realms identifies a resource by its id alone.",
    distributed:
      "One query for all nodes, by an index on each. Requests that name the realm, like those of the SDK and the console, don't need it."
  },
  {
    tables: ["users", "orgs"],
    by: ["id"],
    in: /^select null as id, realm_id from id_imports/,
    reason: "An import that keeps IDs must not use one that exists in another realm.",
    distributed: "One query for each call of an import with IDs, by an index on each node."
  },
  {
    tables: ["login_policies"],
    by: ["subdomain"],
    reason: "The host of a browser's request determines the app, and the app determines the realm.",
    distributed:
      "Apps are copied to each node, as their hosts are unique across realms. Nodes of the service cache an app for a second."
  },
  {
    tables: ["realms"],
    by: ["state"],
    in: /from realms r where/,
    reason: "The list of all realms, for keys of all realms.",
    distributed: "A page from each node, merged by the coordinator."
  },
  {
    tables: ["realms"],
    by: ["deleted_at"],
    in: /^select count/,
    reason: "Counts the realms before one is added.",
    distributed: SPREAD
  },
  {
    tables: ["realms"],
    by: ["event_retention_days"],
    reason: "Finds realms with a retention period of their own.",
    distributed: EACH_NODE
  },
  {
    tables: ["app_hooks"],
    by: ["id"],
    in: /from app_hooks h where/,
    reason: "Keys of all realms list all hooks, and read one by its id.",
    distributed: "One query for all nodes. A realm has few hooks."
  },
  {
    tables: ["deliveries"],
    by: ["hook_realm_id"],
    reason:
      "Deliveries are found and counted by their hook and its realm. An account-wide hook receives events of all realms.",
    distributed:
      "Deliveries of a realm's own hook are on the realm's node, which a further condition could express. Those of account-wide hooks are gathered from all nodes."
  },
  {
    tables: ["oauth_logouts"],
    by: ["due_at"],
    reason: "Finds the clients that must still be notified of a logout.",
    distributed: EACH_NODE
  },
  {
    tables: ["invitations", "memberships"],
    by: ["expires_at"],
    in: /^(?:with due as|select e\.expires_at from)/,
    reason: "A job finds what has expired by its time, each with its event.",
    distributed: EACH_NODE
  },
  {
    tables: ["users"],
    by: ["deletion_at"],
    reason: "A job deletes the accounts whose users asked for it, on their dates.",
    distributed: EACH_NODE
  },
  {
    tables: ["org_domains"],
    by: ["check_at"],
    reason: "A job finds the domains whose daily check is due.",
    distributed: EACH_NODE
  },
  { tables: ["jwt_keys"], by: ["expired_at"], reason: "A job retires keys at their time.", distributed: EACH_NODE },
  {
    tables: ["oauth_registrations"],
    by: ["unused_until"],
    reason: "A job removes unused registered clients.",
    distributed: EACH_NODE
  },
  {
    tables: ["org_deletions", "realm_jobs"],
    by: ["turn"],
    reason: "Large deletions take turns across all realms.",
    distributed: `${EACH_NODE} Each node then has separate turns.`
  },
  {
    tables: ["org_deletions"],
    by: ["requested_at"],
    in: /^select d\.requested_at/,
    reason: "Finds when the oldest deletion was requested.",
    distributed: SPREAD
  },
  {
    tables: ["realm_jobs"],
    by: ["cutoff_at"],
    in: /^select min/,
    reason: "Finds when the oldest deletion was requested.",
    distributed: SPREAD
  },
  {
    tables: ofTenants(expiringTables),
    by: ["expires_at"],
    in: /^(?:delete from "\w+" where ctid|select '\w+' as name, min)/,
    reason: "A job deletes expired rows, which no request can find anymore.",
    distributed: EACH_NODE
  },
  {
    tables: ofTenants(expiringTables),
    by: ["ctid"],
    in: /^delete from "\w+" where ctid = any\(array\( ?select ctid from "\w+" where expires_at/,
    reason: "Deletes the same rows by their position, after the inner query has found and locked them.",
    distributed:
      "A row's position is meaningless on another node, so this must run on one node's own table, never through the coordinator."
  },
  {
    tables: ["events"],
    by: ["id"],
    in: /^(?:with found as materialized|select e\.id from \( ?select)/,
    reason: "A job deletes events at the end of their retention, oldest first: ids start with the time.",
    distributed: EACH_NODE
  },
  {
    tables: ["users", "invitations"],
    by: ["email", "id", "realm_id"],
    reason: "A start folds the email addresses of rows that an earlier version wrote, in all realms.",
    distributed: EACH_NODE
  },
  {
    tables: ["users"],
    by: ["email_pending", "id", "realm_id"],
    reason: "The same for unconfirmed addresses.",
    distributed: EACH_NODE
  },
  {
    tables: ["realm_changes"],
    by: ["xid"],
    reason: "A process asks which realms have changed; a job deletes old changes.",
    distributed: "Each node numbers its own transactions, so each must be asked with its own cursor."
  },
  {
    tables: ["mails"],
    by: [],
    in: /from mails/,
    reason: "The mailbox of a test service shows the emails of all realms.",
    distributed: "Only services without a mail server have a mailbox."
  }
]
