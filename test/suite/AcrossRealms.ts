import { expiringTables } from "#store/ExpiredRowsRepo"

/** A way to find rows of tenants without their realm. */
export interface Lookup {
  readonly tables: ReadonlyArray<string>
  /** The columns that the rows are found by, or that say in which order; none: all rows are read. */
  readonly by: ReadonlyArray<string>
  /** What the text of the statement begins with, where the columns alone would allow too much. */
  readonly in?: RegExp
  /** Why the realm is not known. */
  readonly reason: string
  /** What a database that is distributed by realm makes of it. */
  readonly distributed: string
}

/** Tables that a distributed database copies to each node, so that it does not matter whether a statement names the realm. */
export const copied: Readonly<Record<string, string>> = {
  api_keys:
    "A key is found by its digest before its realm is known, and may belong to all realms. There are few, and they change rarely.",
  released_subdomains: "A subdomain belongs to the last realm that had it: another one must not get it."
}

const EACH_NODE = "Each node of the service does it on one node of the database, for the realms there."

const SPREAD = "One query for all nodes of the database, in the background: no request waits for it."

/** The tables of resources by whose id requests find the realm, where their key may manage all of them. */
const identified = [
  "auth_providers",
  "credentials",
  "events",
  "invitations",
  "jwt_keys",
  "login_policies",
  "memberships",
  "orgs",
  "sessions",
  "signup_tokens",
  "users"
]

const shared = [...Object.keys(copied), "quotas", "idempotent_requests", "console_sessions"]

const ofTenants = (tables: ReadonlyArray<string>) => tables.filter((table) => !shared.includes(table))

/** The look-ups that stand in place of a realm. `docs/scale.md` sums them up. */
export const lookups: ReadonlyArray<Lookup> = [
  {
    tables: identified,
    by: ["id"],
    in: /^select t\.realm_id from/,
    reason: "A key of all realms names a thing by its id alone.",
    distributed:
      "One query for all nodes, by an index on each. Requests that name the realm, as SDK and console do, don't need it."
  },
  {
    tables: ["login_policies"],
    by: ["subdomain"],
    reason: "The host of a browser's request tells the app, and only the app the realm.",
    distributed:
      "Apps are copied to each node, as their hosts are unique across realms; nodes of the service keep an app for a second."
  },
  {
    tables: ["realms"],
    by: ["state"],
    in: /from realms r where/,
    reason: "The list of all realms, for keys of all realms.",
    distributed: "A page of each node, merged by the coordinator."
  },
  {
    tables: ["realms"],
    by: ["deleted_at"],
    in: /^select count/,
    reason: "How many realms there are, before one is added.",
    distributed: SPREAD
  },
  {
    tables: ["realms"],
    by: ["event_retention_days"],
    reason: "Realms that keep their events for a time of their own.",
    distributed: EACH_NODE
  },
  {
    tables: ["app_hooks"],
    by: ["id"],
    in: /from app_hooks h where/,
    reason: "Keys of all realms list the hooks of all, and read one by its id.",
    distributed: "One query for all nodes; there are few hooks in a realm."
  },
  {
    tables: ["deliveries"],
    by: ["hook_realm_id"],
    reason:
      "Deliveries are found and counted by their hook and its realm; a hook of the account hears the events of all realms.",
    distributed:
      "Those of a realm's own hook lie with it, and the condition that says so could be added; those of the account are gathered from all nodes."
  },
  {
    tables: ["oauth_logouts"],
    by: ["due_at"],
    reason: "Which clients are still to be told of a log-out.",
    distributed: EACH_NODE
  },
  {
    tables: ["invitations", "memberships"],
    by: ["expires_at"],
    in: /^(?:with due as|select e\.expires_at from)/,
    reason: "A job finds what expires by its time, each with its event.",
    distributed: EACH_NODE
  },
  { tables: ["jwt_keys"], by: ["expired_at"], reason: "A job retires keys by their time.", distributed: EACH_NODE },
  {
    tables: ["oauth_registrations"],
    by: ["unused_until"],
    reason: "A job removes registered clients that nobody uses.",
    distributed: EACH_NODE
  },
  {
    tables: ["org_deletions", "realm_jobs"],
    by: ["turn"],
    reason: "Large deletions take turns, whatever realm they are of.",
    distributed: `${EACH_NODE} Turns are then taken on each node by itself.`
  },
  {
    tables: ["org_deletions"],
    by: ["requested_at"],
    in: /^select d\.requested_at/,
    reason: "When the oldest deletion was asked for.",
    distributed: SPREAD
  },
  {
    tables: ["realm_jobs"],
    by: ["cutoff_at"],
    in: /^select min/,
    reason: "When the oldest deletion was asked for.",
    distributed: SPREAD
  },
  {
    tables: ofTenants(expiringTables),
    by: ["expires_at"],
    in: /^(?:delete from "\w+" where ctid|select '\w+' as name, min)/,
    reason: "A job deletes expired rows, which no request finds any more.",
    distributed: EACH_NODE
  },
  {
    tables: ofTenants(expiringTables),
    by: ["ctid"],
    in: /^delete from "\w+" where ctid = any\(array\( ?select ctid from "\w+" where expires_at/,
    reason: "The same rows, by where they lie: the inner query has found and locked them.",
    distributed:
      "Where a row lies says nothing on another node, so that this must run on one node's own table, never through the coordinator."
  },
  {
    tables: ["events"],
    by: ["id"],
    in: /^(?:with found as materialized|select e\.id from \( ?select)/,
    reason: "A job deletes events at the end of their retention, oldest first: ids begin with the time.",
    distributed: EACH_NODE
  },
  {
    tables: ["users", "invitations"],
    by: ["email", "id", "realm_id"],
    reason: "A start folds the addresses of rows that an earlier version wrote, whatever realm they are in.",
    distributed: EACH_NODE
  },
  {
    tables: ["users"],
    by: ["email_pending", "id", "realm_id"],
    reason: "The same for addresses that are not confirmed yet.",
    distributed: EACH_NODE
  },
  {
    tables: ["realm_changes"],
    by: ["xid"],
    reason: "A process asks which realms have changed, whichever they are; a job deletes what is told for long enough.",
    distributed:
      "Transactions are numbered on each node by itself, so that each has to be asked with a cursor of its own."
  },
  {
    tables: ["mails"],
    by: [],
    in: /from mails/,
    reason: "The mailbox of a test service shows the mails of all realms.",
    distributed: "Only services without a mail server have one."
  }
]
