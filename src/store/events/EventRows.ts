import type { SqlClient } from "effect/sql/SqlClient"
import type { Event, EventType } from "#domain/Event"
import type { EventActor } from "#domain/EventActor"
import type { EventDetails } from "#domain/EventDetails"
import type { EventId, RealmId } from "#domain/Ids"
import { date, utc } from "../statements/Rows.ts"
import { columnTypes, noConflict, type Write } from "../statements/Writes.ts"

/** An event's row, with its encrypted token. */
export interface Row {
  readonly id: EventId
  readonly realm_id: RealmId
  readonly event_type: EventType
  readonly event_at: Date
  readonly user_id: string | null
  readonly org_id: string | null
  readonly membership_id: string | null
  readonly invitation_id: string | null
  readonly session_id: string | null
  readonly auth_provider_id: string | null
  readonly hook_id: string | null
  readonly login_policy_id: string | null
  readonly api_key_id: string | null
  readonly actor_type: ReturnType<typeof storedActorType>
  readonly actor_id: string | null
  readonly actor_email: string | null
  readonly changed: ReadonlyArray<string>
  readonly details: EventDetails | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly token_id: string | null
  readonly token_secret: string | null
}

/** An event with its encrypted token. The token is null once it can no longer be used. */
export interface StoredEvent extends Event {
  readonly encryptedToken: string | null
}

/** The actor type in a row. Operators are users of the system realm. */
export const storedActorType = ({ type }: EventActor): Exclude<EventActor["type"], "operator"> =>
  type === "operator" ? "user" : type

/** The actor in a row. Only operators have an email. */
export const storedActor = (row: Pick<Row, "actor_type" | "actor_id" | "actor_email">): EventActor => ({
  type: row.actor_email === null ? row.actor_type : "operator",
  id: row.actor_id,
  ...(row.actor_email === null ? {} : { email: row.actor_email })
})

export const fromRow = (row: Row): StoredEvent => ({
  id: row.id,
  realmId: row.realm_id,
  eventType: row.event_type,
  eventAt: utc(row.event_at),
  userId: row.user_id,
  orgId: row.org_id,
  membershipId: row.membership_id,
  invitationId: row.invitation_id,
  sessionId: row.session_id,
  authProviderId: row.auth_provider_id,
  hookId: row.hook_id,
  appId: row.login_policy_id,
  apiKeyId: row.api_key_id,
  actor: storedActor(row),
  changed: row.changed,
  details: row.details ?? {},
  requestIp: row.request_ip,
  requestClient: row.request_client,
  tokenId: row.token_id,
  encryptedToken: row.token_secret
})

/** An event as a JSON object. All events of a statement are passed in one JSON parameter. */
const toRow = (event: Event) => ({
  id: event.id,
  event_type: event.eventType,
  event_at: date(event.eventAt),
  user_id: event.userId,
  org_id: event.orgId,
  membership_id: event.membershipId,
  invitation_id: event.invitationId,
  session_id: event.sessionId,
  auth_provider_id: event.authProviderId,
  hook_id: event.hookId,
  login_policy_id: event.appId,
  api_key_id: event.apiKeyId,
  actor_type: storedActorType(event.actor),
  actor_id: event.actor.id,
  actor_email: event.actor.email ?? null,
  changed: event.changed,
  details: Object.keys(event.details).length === 0 ? null : event.details,
  request_ip: event.requestIp,
  request_client: event.requestClient,
  token_id: event.tokenId
})

/** The columns of an event except its realm, with their types for `json_to_recordset`. */
const columns: Readonly<Record<keyof ReturnType<typeof toRow>, "text" | "text[]" | "timestamptz" | "jsonb">> = {
  id: "text",
  event_type: "text",
  event_at: "timestamptz",
  user_id: "text",
  org_id: "text",
  membership_id: "text",
  invitation_id: "text",
  session_id: "text",
  auth_provider_id: "text",
  hook_id: "text",
  login_policy_id: "text",
  api_key_id: "text",
  actor_type: "text",
  actor_id: "text",
  actor_email: "text",
  changed: "text[]",
  details: "jsonb",
  request_ip: "text",
  request_client: "text",
  token_id: "text"
}

const [columnNames, recordTypes] = [Object.keys(columns).join(", "), columnTypes(columns)]

const asJson = (events: ReadonlyArray<Event>): string => JSON.stringify(events.map(toRow))

/** Returns the writes that insert events and one row for each member that an event has changed. */
export const insertions = (sql: SqlClient, events: ReadonlyArray<Event>): ReadonlyArray<Write> => {
  const updates = events.filter(({ changed }) => changed.length > 0)
  const inserted: Write = {
    realmLock: "key share",
    statement: (before) => sql`insert into events (realm_id, ${sql.literal(columnNames)})
      select before.realm_id, e.* from ${before},
        json_to_recordset(${asJson(events)}::json) as e (${sql.literal(recordTypes)})`,
    conflictIn: noConflict
  }
  const changes: Write = {
    realmLock: "key share",
    statement: (before) => sql`insert into event_changes
        (realm_id, id, member, event_type, event_at, user_id, org_id, actor_id)
      select before.realm_id, e.id, c.member, e.event_type, e.event_at, e.user_id, e.org_id, e.actor_id from ${before},
        json_to_recordset(${asJson(updates)}::json) as e (${sql.literal(recordTypes)}), unnest(e.changed) as c (member)`,
    conflictIn: noConflict
  }
  return [...(events.length === 0 ? [] : [inserted]), ...(updates.length === 0 ? [] : [changes])]
}
