import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { OrgsV2 } from "#api/orgs/Endpoints"
import { Orgs, type OrgWithMemberships } from "#core/orgs/Orgs"
import type { NewUser } from "#core/provisioning/NewUsers"
import type { Org } from "#domain/Org"
import type { Rejected as Refusal } from "#domain/Rejected"
import { words } from "../Errors.ts"
import * as v1 from "../memberships/BodiesV1.ts"
import * as v2 from "../memberships/BodiesV2.ts"
import { type NewOrgSent, orgAttributesOf, orgCreationOf } from "../provisioning/NewOrgs.ts"
import { newUserOf } from "../provisioning/NewUsers.ts"
import { newUserOf as newUserOfV1 } from "../provisioning/NewUsersV1.ts"
import { expands, pageAsked } from "../WireMapping.ts"

const { Rejected, HashingBusy, OrgNotFound, RealmNotFound } = words

/** How a version shows orgs, and reads what it is sent. */
interface Version<Item, Body, User> {
  readonly orgItem: (org: Org, custom: boolean) => Item
  readonly orgBody: (org: Org) => Body
  readonly orgBodyWith: (org: OrgWithMemberships) => Body
  readonly newUser: (sent: User) => Effect.Effect<NewUser, Refusal>
  /** The states that read as this one. */
  readonly states: (shown: Org["state"]) => ReadonlyArray<Org["state"]>
}

/** What a request of either version says; what a version does not know is never there. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof OrgsV2>, Operation>>,
  "endpoint"
>

/** What both versions do, and the deleting that v1 does and v2 may be asked for. */
const operations = <Item extends object, Body extends object, User>(version: Version<Item, Body, User>) =>
  Effect.map(Orgs, (orgs) => ({
    list: ({ query }: Asked<"list">) => {
      const states = query.state === undefined ? undefined : version.states(query.state)
      return orgs.list({ reference: query.reference, states }, pageAsked(query, "name")).pipe(
        Effect.map(({ items, more }) => ({
          collection: items.map((org) => version.orgItem(org, expands(query, "custom"))),
          more_results: more
        })),
        Effect.catchTags({ OrgNotFound })
      )
    },
    get: ({ params, query }: Asked<"get">) =>
      (expands(query, "memberships")
        ? Effect.map(orgs.getWithMemberships(params.org_id), version.orgBodyWith)
        : Effect.map(orgs.get(params.org_id), version.orgBody)
      ).pipe(Effect.catchTags({ OrgNotFound })),
    create: ({ payload }: { readonly payload: NewOrgSent<User> }) =>
      orgCreationOf(payload, version.newUser).pipe(
        Effect.flatMap(orgs.create),
        Effect.map((created) => ({ ...version.orgBodyWith(created), new_record: true as const })),
        Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })
      ),
    update: ({ params, payload }: Asked<"update">) =>
      orgs
        .update(params.org_id, orgAttributesOf(payload.org))
        .pipe(Effect.map(version.orgBody), Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound })),
    delete: ({ params }: Pick<Asked<"delete">, "params">) =>
      orgs.delete(params.org_id).pipe(Effect.catchTags({ OrgNotFound, RealmNotFound }))
  }))

const ofV1 = operations({
  ...v1,
  newUser: newUserOfV1,
  // There is no `closed` there (decision 17).
  states: (shown) => (shown === "inactive" ? ["inactive", "closed"] : [shown])
})

const ofV2 = operations({
  ...v2,
  newUser: (sent: Parameters<typeof newUserOf>[0]) => newUserOf(sent, { userType: "human", usernameRequired: false }),
  states: (shown) => [shown]
})

/** `/v1/orgs`, `/v2/orgs`, where a deletion that is not forced only closes. */
export const OrgsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.orgs", (handlers) => Effect.map(ofV1, (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(
    Api,
    "v2.orgs",
    Effect.fn(function* (handlers) {
      const orgs = yield* Orgs
      const all = yield* ofV2
      const close = (id: string) =>
        orgs.close(id).pipe(Effect.map(v2.orgBody), Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound }))
      return handlers.handleAll({
        ...all,
        delete: (asked) => (asked.query.force === true ? all.delete(asked) : close(asked.params.org_id))
      })
    })
  )
)
