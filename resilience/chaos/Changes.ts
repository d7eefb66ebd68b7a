/** A change that a writer requests. */
export type Change =
  | { readonly kind: "create org"; readonly name: string; readonly userIds: ReadonlyArray<string> }
  | { readonly kind: "rename org"; readonly orgId: string; readonly name: string }
  | { readonly kind: "delete org"; readonly orgId: string; readonly userIds: ReadonlyArray<string> }
  | {
      readonly kind: "join"
      readonly orgId: string
      readonly userId: string
      readonly permissions: ReadonlyArray<string>
    }
  | ({ readonly kind: "permit"; readonly permissions: ReadonlyArray<string> } & Joined)
  | ({ readonly kind: "leave" } & Joined)

interface Joined {
  readonly membershipId: string
  readonly orgId: string
  readonly userId: string
}

/** The HTTP request for a change. `gone`: the status of a retry if an earlier attempt succeeded. */
export interface Request {
  readonly method: "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly statusIfDone?: number
}

/** Converts a change to its HTTP request. */
export const requestOf = (change: Change): Request => {
  switch (change.kind) {
    case "create org": {
      const { name, userIds } = change
      return { method: "POST", path: "/v2/orgs", body: { org: { name }, user_ids: userIds }, status: 201 }
    }
    case "rename org":
      return {
        method: "PUT",
        path: `/v2/orgs/${change.orgId}`,
        body: { org: { name: change.name } },
        status: 200
      }
    case "delete org":
      return { method: "DELETE", path: `/v2/orgs/${change.orgId}?force=true`, status: 202, statusIfDone: 404 }
    case "join": {
      const { orgId: org_id, userId: user_id, permissions } = change
      return {
        method: "POST",
        path: "/v2/memberships",
        body: { membership: { org_id, user_id, permissions } },
        status: 201
      }
    }
    case "permit": {
      const { membershipId, permissions } = change
      return {
        method: "PUT",
        path: `/v2/memberships/${membershipId}`,
        body: { membership: { permissions } },
        status: 200
      }
    }
    case "leave":
      return { method: "DELETE", path: `/v2/memberships/${change.membershipId}`, status: 204, statusIfDone: 404 }
  }
}

/** An event as one line: type, org and user. */
export const eventLine = (type: string, orgId: string | null, userId: string | null): string =>
  `${type} ${orgId ?? "-"} ${userId ?? "-"}`

/** Returns the exact events that a change causes. `id`: the id of the created resource. */
export const eventsOf = (change: Change, id: string | null): ReadonlyArray<string> => {
  switch (change.kind) {
    case "create org":
      return [
        eventLine("org.created", id, null),
        ...change.userIds.map((userId) => eventLine("membership.created", id, userId))
      ]
    case "rename org":
      return [eventLine("org.updated", change.orgId, null)]
    case "delete org":
      return [
        eventLine("org.deleted", change.orgId, null),
        ...change.userIds.map((userId) => eventLine("membership.deleted", change.orgId, userId))
      ]
    case "join":
      return [eventLine("membership.created", change.orgId, change.userId)]
    case "permit":
      return [eventLine("membership.updated", change.orgId, change.userId)]
    case "leave":
      return [eventLine("membership.deleted", change.orgId, change.userId)]
  }
}

/** An expected membership. `id`: undefined if the membership was created together with its org. */
export interface Member {
  readonly id: string | undefined
  readonly permissions: ReadonlyArray<string>
}

/** An expected org, with its memberships by user. */
export interface KnownOrg {
  readonly name: string
  readonly members: ReadonlyMap<string, Member>
}

/** The state expected after a series of changes. */
export class ExpectedState {
  readonly orgs = new Map<string, { name: string; readonly members: Map<string, Member> }>()

  /** Applies an acknowledged change. `id`: the id of the created resource. */
  apply(change: Change, id: string | null): void {
    if (change.kind === "create org") {
      const members = new Map(change.userIds.map((userId) => [userId, { id: undefined, permissions: [] }]))
      if (id !== null) this.orgs.set(id, { name: change.name, members })
      return
    }
    const org = this.orgs.get(change.orgId)
    if (change.kind === "rename org" && org !== undefined) org.name = change.name
    if (change.kind === "delete org") this.orgs.delete(change.orgId)
    if (change.kind === "join" && id !== null) org?.members.set(change.userId, { id, permissions: change.permissions })
    if (change.kind === "permit") {
      org?.members.set(change.userId, { id: change.membershipId, permissions: change.permissions })
    }
    if (change.kind === "leave") org?.members.delete(change.userId)
  }
}
