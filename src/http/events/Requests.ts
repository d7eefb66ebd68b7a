import { values } from "#api/Wire"
import { changeableMembers } from "#domain/ChangeableMembers"
import { eventName, eventTypes, type Version } from "#domain/Event"
import { withEventNoun } from "#domain/EventNouns"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** The event types by their names in both versions, any of which a prefix may begin. */
const typeNames = [...new Set(eventTypes.flatMap((type) => [type, eventName(type, "v1")]))]

const known = [...new Set(typeNames.map((name) => name.slice(0, name.indexOf("."))))].join(", ")

/** How many unknown prefixes are told, and how many characters of one. */
const MOST = 20
const LONGEST = 64

/** A filter by names: its parameter, and how a value that is none of them is told of. */
interface NameFilter {
  readonly field: string
  readonly code: string
  /** What the message calls the value. */
  readonly value: string
  readonly names: ReadonlyArray<string>
  /** The value that somebody meant, beyond what is like it. */
  readonly meant?: (given: string) => string | undefined
  /** What the message says of those there are, by whether one was meant. */
  readonly known: (nearest: string | undefined) => Problem["params"]
}

/** What is wrong with values that a filter does not know. */
const unknownNames = ({ field, code, value, names, meant, known }: NameFilter, unknown: Iterable<string>) =>
  [...new Set(unknown)].slice(0, MOST).map((given) => {
    const name = given.slice(0, LONGEST).toWellFormed()
    const nearest = meant?.(name) ?? nearestName(name, names)
    return problem(field, code, { [value]: name, ...(nearest === undefined ? {} : { nearest }), ...known(nearest) })
  })

const beginsType = (prefix: string) => typeNames.some((name) => name.startsWith(prefix))

const types: NameFilter = {
  field: "event_type",
  code: "unknown_event_type",
  value: "prefix",
  names: typeNames,
  meant: (given) => (beginsType(withEventNoun(given)) ? withEventNoun(given) : undefined),
  known: () => ({ known })
}

/** What is wrong with prefixes with which no event type begins. */
export const eventTypeProblems = (prefixes: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  unknownNames(
    types,
    prefixes.filter((prefix) => !beginsType(prefix))
  )

const memberNames = changeableMembers()

// The list is long, so it comes once, and only where nothing is near.
const members: NameFilter = {
  field: "changed",
  code: "unknown_member",
  value: "member",
  names: memberNames,
  known: (nearest) => (nearest === undefined ? { total: memberNames.length, allowed: memberNames.join(", ") } : {})
}

/** What is wrong with members that no update changes. */
export const changedProblems = (given: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  unknownNames(
    members,
    given.filter((name) => !memberNames.includes(name))
  )

/** Which events a caller lists. `/v2` knows every parameter that `/v1` knows. */
export const eventQuery = (query: EndpointRequest<"v2.events", "list">["query"], version: Version) => ({
  version,
  eventTypes: values(query.event_type),
  related: omitUndefined({
    user: query.user_id,
    org: query.org_id,
    membership: query.membership_id,
    invitation: query.invitation_id,
    session: query.session_id,
    authProvider: query.auth_provider_id,
    hook: query.app_hook_id ?? query.hook_id,
    apiKey: query.api_key_id,
    app: query.login_policy_id ?? query.client_app_id
  }),
  actorId: query.actor_id,
  changed: values(query.changed),
  createdAfter: query.created_at_after === undefined ? undefined : utcFromTimeT(query.created_at_after)
})
