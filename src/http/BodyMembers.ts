import type { HttpApiEndpoint } from "effect/http-api"
import { bodyMembersOf } from "#api/EndpointMembers"
import { type Problem, problem } from "#domain/Rejected"

type Members = Readonly<Record<string, unknown>>

/** How many members in the wrong place are told. */
const MOST = 20

const NONE: ReadonlyArray<Problem> = []

/** Whether a value is an object, as what a wrapper holds is. */
export const isWrapper = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What the body of an endpoint tells about members in the wrong place (C68). */
export interface MemberPlaces {
  /** The members beside the wrapper that belong inside. */
  besideWrapper(body: Members): ReadonlyArray<Problem>
  /** The members inside a wrapper that the endpoint does not take. */
  insideWrapper(body: Members): ReadonlyArray<Problem>
}

/**
 * The places of the members of an endpoint's body, found out once. `realm_id` may be anywhere (C4), and `request` inside of a
 * wrapper says nothing (`v2.request.beside`). `name`: what the endpoint's resource is called.
 */
export const memberPlaces = (
  endpoint: HttpApiEndpoint.Top,
  wrapper: string | undefined,
  name: string
): MemberPlaces => {
  const { top, wrapped } = bodyMembersOf(endpoint)
  const belongsInside = (member: string) => member !== "realm_id" && wrapped.has(member) && !top.has(member)
  const belongsOutside = (member: string) => member !== "request" && top.has(member)
  const collect = (body: Members, isMisplaced: (member: string) => boolean, code: string, wrapper: string) => {
    let problems: Array<Problem> | undefined
    for (const member in body) {
      if (isMisplaced(member) && (problems ??= []).length < MOST) {
        problems.push(problem(member, code, { member, wrapper }))
      }
    }
    return problems ?? NONE
  }
  return {
    besideWrapper: (body) => (wrapper === undefined ? NONE : collect(body, belongsInside, "belongs_inside", wrapper)),
    insideWrapper: (body) => {
      const inner = body[name]
      return wrapper === undefined && !top.has(name) && isWrapper(inner)
        ? collect(inner, belongsOutside, "belongs_outside", name)
        : NONE
    }
  }
}
