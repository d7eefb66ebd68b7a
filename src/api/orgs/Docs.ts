import { documentGroup, page, sortedBy } from "../GroupDocs.ts"
import { org, user } from "../memberships/Samples.ts"
import { OrgsV1 } from "./V1.ts"
import { OrgsV2 } from "./V2.ts"

const read = { ...org, custom: {} } as const

const about = "Organizations that users belong to."

const shared = {
  list: { summary: "List orgs", response: page(org) },
  get: { summary: "Get an org", response: read },
  create: {
    summary: "Create an org",
    description:
      "With `user_ids` or `user`, also creates memberships with the given `permissions`. Events: `org.created`; `user.created`; `membership.created` for each membership.",
    request: { org: { name: "Jo & Sons", reference: "customer-42" }, user_ids: [user.id], permissions: "ar:owner" },
    response: read
  }
} as const

export const orgsV1 = documentGroup(
  OrgsV1,
  about,
  {
    ...shared,
    update: {
      summary: "Update an org",
      description: "Changes only the members you send. Event: `org.updated`.",
      request: { org: { name: "Jo & Daughters" } },
      response: read
    },
    delete: {
      summary: "Delete an org",
      description: "Events: `org.deleted`; `domain.deleted` for each domain; `membership.deleted` for each membership."
    }
  },
  { sort: sortedBy("name") }
)

export const orgsV2 = documentGroup(
  OrgsV2,
  about,
  {
    ...shared,
    list: {
      ...shared.list,
      description: "`search` matches the beginning of an org's name, ID or reference. References are case-sensitive."
    },
    update: {
      summary: "Update an org",
      description: "Changes only the members you send. `state: closed` is permanent. Event: `org.updated`.",
      request: { org: { name: "Jo & Daughters" } },
      response: read
    },
    delete: {
      summary: "Close or delete an org",
      description:
        "Without `force`, the org is permanently closed (200, events `org.updated` and `domain.deleted` for each domain). With `force`, it is deleted (202, events `org.deleted`, `domain.deleted` for each domain and `membership.deleted` for each membership).",
      response: read
    }
  },
  { sort: sortedBy("name") }
)
