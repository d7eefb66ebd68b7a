import { expands } from "../WireMapping.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

/** The scope of a `/v1` login, which includes memberships if `expand=memberships` is in the query or in the body. */
export const scopeOf = (query: Expanding, payload: Expanding) => ({
  memberships: expands(query, "memberships") || expands(payload, "memberships"),
  orgId: undefined
})
