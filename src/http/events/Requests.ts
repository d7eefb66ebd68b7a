import { values } from "#api/Wire"
import { changeableMembers } from "#domain/ChangeableMembers"
import { eventName, eventTypes, type Version } from "#domain/Event"
import { withEventNoun } from "#domain/EventNouns"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** The names of all event types in both versions. A prefix in a query can match any of them. */
const typeNames = [...new Set(eventTypes.flatMap((type) => [type, eventName(type, "v1")]))]

const known = [...new Set(typeNames.map((name) => name.slice(0, name.indexOf("."))))].join(", ")

/** Limits for reports of unknown values: their number, and the length of each reported value in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

/** A query parameter that filters by names, and how its unknown values are reported. */
interface NameFilter {
  readonly field: string
  readonly code: string
  /** The message parameter that contains the unknown value. */
  readonly value: string
  readonly names: ReadonlyArray<string>
  /** Returns the intended value if spelling similarity would not find it. */
  readonly intended?: (given: string) => string | undefined
  /** Returns the message parameters that list the allowed values. `nearest` is the most similar allowed value, if any. */
  readonly known: (nearest: string | undefined) => Problem["params"]
}

/** Returns the problems for unknown values of a filter. */
const unknownNames = ({ field, code, value, names, intended, known }: NameFilter, unknown: Iterable<string>) =>
  [...new Set(unknown)].slice(0, MAX_REPORTED).map((given) => {
    const name = given.slice(0, MAX_NAME_LENGTH).toWellFormed()
    const nearest = intended?.(name) ?? nearestName(name, names)
    return problem(field, code, { [value]: name, ...(nearest === undefined ? {} : { nearest }), ...known(nearest) })
  })

const matchesType = (prefix: string) => typeNames.some((name) => name.startsWith(prefix))

const types: NameFilter = {
  field: "event_type",
  code: "unknown_event_type",
  value: "prefix",
  names: typeNames,
  intended: (given) => (matchesType(withEventNoun(given)) ? withEventNoun(given) : undefined),
  known: () => ({ known })
}

/** Returns the problems for prefixes that match no event type. */
export const eventTypeProblems = (prefixes: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  unknownNames(
    types,
    prefixes.filter((prefix) => !matchesType(prefix))
  )

const memberNames = changeableMembers()

// The list is long, so it is only included if no similar name was found.
const members: NameFilter = {
  field: "changed",
  code: "unknown_member",
  value: "member",
  names: memberNames,
  known: (nearest) => (nearest === undefined ? { total: memberNames.length, allowed: memberNames.join(", ") } : {})
}

/** Returns the problems for members that no update can change. */
export const changedProblems = (given: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  unknownNames(
    members,
    given.filter((name) => !memberNames.includes(name))
  )

/** Builds the filter for a list of events. `/v2` accepts every parameter that `/v1` accepts. */
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
  result: query.result,
  requestIp: query.request_ip,
  createdAfter: query.created_at_after === undefined ? undefined : utcFromTimeT(query.created_at_after),
  createdBefore: query.created_at_before === undefined ? undefined : utcFromTimeT(query.created_at_before)
})
