import type { Client } from "pg"
import { type Change, ExpectedState, eventLine, eventsOf } from "./Changes.ts"
import type { Message } from "./Receiver.ts"

/** An invariant and its violations. */
export interface InvariantResult {
  readonly rule: string
  readonly broken: ReadonlyArray<string>
}

/** The recorded facts that the invariants compare. */
export interface Evidence {
  readonly client: Client
  readonly realmId: string
  readonly hookId: string
  /** The acknowledged changes, read from the ledger. */
  readonly changes: ReadonlyArray<{ readonly change: Change; readonly id: string | null }>
  readonly messages: ReadonlyMap<string, Message>
}

interface EventRow {
  readonly id: string
  readonly event_type: string
  readonly org_id: string | null
  readonly user_id: string | null
}

const counted = (lines: Iterable<string>) => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

/** Returns the lines that occur more often in one count than in the other. */
const surplus = (of: Map<string, number>, over: Map<string, number>): ReadonlyArray<string> =>
  [...of].flatMap(([line, count]) => {
    const more = count - (over.get(line) ?? 0)
    return more > 0 ? [`${more} × ${line}`] : []
  })

/**
 * The state expected from the acknowledged changes, and the state in the database, each with a line per org and
 * membership.
 */
const states = async ({ client, realmId, changes }: Evidence) => {
  const expected = new ExpectedState()
  for (const { change, id } of changes) expected.apply(change, id)
  const due = [...expected.orgs].flatMap(([orgId, { name, members }]) => [
    `org ${orgId} ${name}`,
    ...[...members].map(([userId, { permissions }]) => `membership ${orgId} ${userId} ${permissions.join(",")}`)
  ])
  const { rows } = await client.query<{ line: string }>(
    `select 'org ' || id || ' ' || name as line from orgs where realm_id = $1 union all
      select 'membership ' || org_id || ' ' || user_id || ' ' || array_to_string(permissions, ',')
      from memberships where realm_id = $1`,
    [realmId]
  )
  return { due: counted(due), found: counted(rows.map(({ line }) => line)) }
}

/** The invariants that concern only the database. Each query returns the violations. */
const orphans: ReadonlyArray<readonly [rule: string, query: string]> = [
  [
    "each existing org has exactly one org.created",
    `select o.id from orgs o where o.realm_id = $1 and 1 <> (select count(*) from events e
      where e.realm_id = $1 and e.org_id = o.id and e.event_type = 'org.created')`
  ],
  [
    "each existing membership has exactly one membership.created",
    `select m.id from memberships m where m.realm_id = $1 and 1 <> (select count(*) from events e
      where e.realm_id = $1 and e.membership_id = m.id and e.event_type = 'membership.created')`
  ],
  [
    "each event's org exists or was deleted",
    `select e.id from events e where e.realm_id = $1 and e.event_type like 'org.%'
      and not exists (select from orgs o where o.realm_id = $1 and o.id = e.org_id)
      and not exists (select from events d where d.realm_id = $1 and d.org_id = e.org_id
        and d.event_type = 'org.deleted')`
  ],
  [
    "each event's membership exists or was deleted",
    `select e.id from events e where e.realm_id = $1 and e.event_type like 'membership.%'
      and not exists (select from memberships m where m.realm_id = $1 and m.id = e.membership_id)
      and not exists (select from events d where d.realm_id = $1 and d.membership_id = e.membership_id
        and d.event_type = 'membership.deleted')`
  ],
  [
    "nothing that was deleted still exists",
    `select e.id from events e where e.realm_id = $1 and (
      e.event_type = 'org.deleted' and exists (select from orgs o where o.realm_id = $1 and o.id = e.org_id)
      or e.event_type = 'membership.deleted'
        and exists (select from memberships m where m.realm_id = $1 and m.id = e.membership_id))`
  ],
  [
    "nothing is created or deleted twice",
    `select min(id) as id from events where realm_id = $1
      and event_type in ('org.created', 'org.deleted', 'membership.created', 'membership.deleted')
      group by event_type, coalesce(membership_id, org_id) having count(*) > 1`
  ]
]

/** Compares the received messages with the events and deliveries recorded since the hook was created. */
const received = async ({ client, realmId, hookId, messages }: Evidence): Promise<ReadonlyArray<InvariantResult>> => {
  const { rows } = await client.query<{ event_id: string; event_type: string; ids: Array<string>; states: string }>(
    `select e.id as event_id, e.event_type, array_remove(array_agg(d.id), null) as ids,
        coalesce(string_agg(distinct d.state, ','), '') as states
      from events e left join deliveries d on d.realm_id = e.realm_id and d.event_id = e.id and d.hook_id = $2
      where e.realm_id = $1 and e.event_at >= (select created_at from app_hooks where realm_id = $1 and id = $2) group by e.id, e.event_type`,
    [realmId, hookId]
  )
  const ofEvent = Map.groupBy(messages.values(), ({ eventId }) => eventId)
  const known = new Map(rows.map(({ event_id, event_type }) => [event_id, event_type]))
  const delivered = [...messages.values()]
  const judged = (rule: string, broken: ReadonlyArray<string>): InvariantResult => ({ rule, broken })
  const name = ({ id, eventId }: Message) => `${id} of ${eventId}`
  return [
    judged(
      "each event has one completed delivery",
      rows.flatMap((row) =>
        row.ids.length === 1 && row.states === "completed"
          ? []
          : [`${row.event_id}: ${row.ids.join(" ")} ${row.states}`]
      )
    ),
    judged(
      "each event reached the receiver",
      rows.flatMap(({ event_id }) => (ofEvent.get(event_id)?.some(({ accepted }) => accepted > 0) ? [] : [event_id]))
    ),
    judged(
      "each repeated message has the webhook-id of the first, which is the delivery's",
      rows.flatMap(({ event_id, ids }) =>
        (ofEvent.get(event_id) ?? []).filter(({ id }) => ids.length !== 1 || id !== ids[0]).map(name)
      )
    ),
    judged("each repeated message has the body of the first", delivered.filter(({ altered }) => altered > 0).map(name)),
    judged(
      "each received message is an event of the database",
      delivered.filter(({ eventId, eventType }) => known.get(eventId) !== eventType).map(name)
    )
  ]
}

/** Checks that the acknowledged changes, the database and the received messages agree. */
export const checkInvariants = async (evidence: Evidence): Promise<ReadonlyArray<InvariantResult>> => {
  const { client, realmId, changes } = evidence
  const { due, found } = await states(evidence)
  const events = await client.query<EventRow>(
    `select id, event_type, org_id, user_id from events where realm_id = $1
      and (event_type like 'org.%' or event_type like 'membership.%')`,
    [realmId]
  )
  const dueEvents = counted(changes.flatMap(({ change, id }) => eventsOf(change, id)))
  const foundEvents = counted(events.rows.map((row) => eventLine(row.event_type, row.org_id, row.user_id)))
  const invariants: Array<InvariantResult> = [
    { rule: "each acknowledged change is in the database", broken: surplus(due, found) },
    { rule: "the database contains only acknowledged changes", broken: surplus(found, due) },
    { rule: "each change has its event", broken: surplus(dueEvents, foundEvents) },
    { rule: "each event has its change", broken: surplus(foundEvents, dueEvents) }
  ]
  for (const [rule, query] of orphans) {
    const { rows } = await client.query<{ id: string }>(query, [realmId])
    invariants.push({ rule, broken: rows.map(({ id }) => id) })
  }
  return [...invariants, ...(await received(evidence))]
}
