import { documentGroup, page } from "../GroupDocs.ts"
import { membership, membershipV1, org, user, userV1 } from "./Samples.ts"
import { MembershipsV1 } from "./V1.ts"
import { MembershipsV2 } from "./V2.ts"

const readV1 = { ...membershipV1, org: { ...org, custom: {} }, user: userV1 } as const

const read = { ...membership, org: { ...org, custom: {} }, user } as const

const about = "Links between users and orgs, with permission tags."

const shared = {
  delete: { summary: "Delete a membership", description: "Event: `membership.deleted`." }
} as const

export const membershipsV1 = documentGroup(MembershipsV1, about, {
  ...shared,
  list: {
    summary: "List memberships",
    description:
      "Filters by org, user or both; at least one is required. A list filtered by org includes the users, and a list filtered by user includes the orgs. A list filtered by both includes neither.",
    response: page({ ...membershipV1, org })
  },
  get: { summary: "Get a membership", response: readV1 },
  create: {
    summary: "Create a membership",
    description:
      "Links a user to an org. Without `org_id`, the membership belongs to no org. The membership's `custom` attributes can be included in tokens. Event: `membership.created`.",
    request: { membership: { user_id: user.id, permissions: ["beta:tester"], custom: { seat: 12 } } },
    response: readV1
  },
  update: {
    summary: "Update a membership",
    description:
      "Changes the membership's permissions, `custom` attributes and expiry. The user and the org can't be changed. Event: `membership.updated`.",
    request: { membership: { permissions: "billing:read billing:write", custom: { seat: 14 } } },
    response: readV1
  }
})

export const membershipsV2 = documentGroup(MembershipsV2, about, {
  ...shared,
  list: {
    summary: "List memberships",
    description:
      "Filters by org, user or both; at least one is required. A list filtered by org includes the users, and a list filtered by user includes the orgs. A list filtered by both includes neither.",
    response: page({ ...membership, org })
  },
  get: { summary: "Get a membership", response: read },
  create: {
    summary: "Create a membership",
    description: "Links a user to an org. Event: `membership.created`.",
    request: { membership: { user_id: user.id, org_id: org.id, permissions: ["billing:read"] } },
    response: read
  },
  update: {
    summary: "Update a membership",
    description:
      "Changes the membership's permissions and expiry. The user and the org can't be changed. Event: `membership.updated`.",
    request: { membership: { permissions: "billing:read billing:write" } },
    response: read
  }
})
