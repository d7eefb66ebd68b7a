import type { Client } from "pg"
import { type Change, eventLine, eventsOf, World } from "./Changes.ts"
import type { Message } from "./Receiver.ts"

/** A rule, and what broke it, in words. */
export interface Verdict {
  readonly rule: string
  readonly broken: ReadonlyArray<string>
}

/** What is compared, and where. */
export interface Evidence {
  readonly client: Client
  readonly realmId: string
  readonly hookId: string
  /** From the ledger: what was acknowledged. */
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

/** What one heap of lines has more of than another. */
const surplus = (of: Map<string, number>, over: Map<string, number>): ReadonlyArray<string> =>
  [...of].flatMap(([line, count]) => {
    const more = count - (over.get(line) ?? 0)
    return more > 0 ? [`${more} × ${line}`] : []
  })

/** The state that the acknowledged changes make, and the one in the database, a line for each thing. */
const states = async ({ client, realmId, changes }: Evidence) => {
  const world = new World()
  for (const { change, id } of changes) world.apply(change, id)
  const due = [...world.orgs].flatMap(([orgId, { name, members }]) => [
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

/** What no ledger is needed for: each row has its events, each event its row or the row's end. */
const orphans: ReadonlyArray<readonly [rule: string, query: string]> = [
  [
    "each org there has exactly one org.created",
    `select o.id from orgs o where o.realm_id = $1 and 1 <> (select count(*) from events e
      where e.realm_id = $1 and e.org_id = o.id and e.event_type = 'org.created')`
  ],
  [
    "each membership there has exactly one membership.created",
    `select m.id from memberships m where m.realm_id = $1 and 1 <> (select count(*) from events e
      where e.realm_id = $1 and e.membership_id = m.id and e.event_type = 'membership.created')`
  ],
  [
    "each event's org is there, or was deleted",
    `select e.id from events e where e.realm_id = $1 and e.event_type like 'org.%'
      and not exists (select from orgs o where o.realm_id = $1 and o.id = e.org_id)
      and not exists (select from events d where d.realm_id = $1 and d.org_id = e.org_id
        and d.event_type = 'org.deleted')`
  ],
  [
    "each event's membership is there, or was deleted",
    `select e.id from events e where e.realm_id = $1 and e.event_type like 'membership.%'
      and not exists (select from memberships m where m.realm_id = $1 and m.id = e.membership_id)
      and not exists (select from events d where d.realm_id = $1 and d.membership_id = e.membership_id
        and d.event_type = 'membership.deleted')`
  ],
  [
    "what was deleted is gone",
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

/** What the receiver has, against events and outbox: since the hook is there. */
const received = async ({ client, realmId, hookId, messages }: Evidence): Promise<ReadonlyArray<Verdict>> => {
  const { rows } = await client.query<{ event_id: string; event_type: string; ids: Array<string>; states: string }>(
    `select e.id as event_id, e.event_type, array_remove(array_agg(d.id), null) as ids,
        coalesce(string_agg(distinct d.state, ','), '') as states
      from events e left join deliveries d on d.realm_id = e.realm_id and d.event_id = e.id and d.hook_id = $2
      where e.realm_id = $1 and e.event_at >= (select created_at from app_hooks where realm_id = $1 and id = $2) group by e.id, e.event_type`,
    [realmId, hookId]
  )
  const ofEvent = Map.groupBy(messages.values(), ({ eventId }) => eventId)
  const known = new Map(rows.map(({ event_id, event_type }) => [event_id, event_type]))
  const told = [...messages.values()]
  const judged = (rule: string, broken: ReadonlyArray<string>): Verdict => ({ rule, broken })
  const name = ({ id, eventId }: Message) => `${id} of ${eventId}`
  return [
    judged(
      "each event has one delivery, completed",
      rows.flatMap((row) =>
        row.ids.length === 1 && row.states === "completed"
          ? []
          : [`${row.event_id}: ${row.ids.join(" ")} ${row.states}`]
      )
    ),
    judged(
      "each event reached the receiver",
      rows.flatMap(({ event_id }) => (ofEvent.get(event_id)?.some(({ taken }) => taken > 0) ? [] : [event_id]))
    ),
    judged(
      "each repeat has the webhook-id of the first, which is the delivery's",
      rows.flatMap(({ event_id, ids }) =>
        (ofEvent.get(event_id) ?? []).filter(({ id }) => ids.length !== 1 || id !== ids[0]).map(name)
      )
    ),
    judged("each repeat has the body of the first", told.filter(({ altered }) => altered > 0).map(name)),
    judged(
      "whatever is received is an event of the database",
      told.filter(({ eventId, eventType }) => known.get(eventId) !== eventType).map(name)
    )
  ]
}

/** Holds what was acknowledged, what the database has and what the receiver got against each other. */
export const reckon = async (evidence: Evidence): Promise<ReadonlyArray<Verdict>> => {
  const { client, realmId, changes } = evidence
  const { due, found } = await states(evidence)
  const events = await client.query<EventRow>(
    `select id, event_type, org_id, user_id from events where realm_id = $1
      and (event_type like 'org.%' or event_type like 'membership.%')`,
    [realmId]
  )
  const dueEvents = counted(changes.flatMap(({ change, id }) => eventsOf(change, id)))
  const foundEvents = counted(events.rows.map((row) => eventLine(row.event_type, row.org_id, row.user_id)))
  const verdicts: Array<Verdict> = [
    { rule: "each acknowledged change is in the database", broken: surplus(due, found) },
    { rule: "nothing is in the database that was not acknowledged", broken: surplus(found, due) },
    { rule: "no change without its event", broken: surplus(dueEvents, foundEvents) },
    { rule: "no event without its change", broken: surplus(foundEvents, dueEvents) }
  ]
  for (const [rule, query] of orphans) {
    const { rows } = await client.query<{ id: string }>(query, [realmId])
    verdicts.push({ rule, broken: rows.map(({ id }) => id) })
  }
  return [...verdicts, ...(await received(evidence))]
}
