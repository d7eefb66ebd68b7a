import { expands } from "../WireMapping.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

/** What a login in `/v1` shows of the user: `expand=memberships` can stand in the query or in the body. */
export const scopeOf = (query: Expanding, payload: Expanding) => ({
  memberships: expands(query, "memberships") || expands(payload, "memberships"),
  orgId: undefined
})
