import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { orgSorts, orgStates } from "#domain/Org"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { orgFields as fieldsV1, orgStates as statesV1 } from "../nested/OrgFieldsV1.ts"
import { orgFields as fieldsV2 } from "../nested/OrgFieldsV2.ts"
import { newUserFields as userFieldsV1 } from "../nested/UserFieldsV1.ts"
import { newUserFields as userFieldsV2 } from "../nested/UserFieldsV2.ts"
import { OrgBody as BodyV1, OrgItem as ItemV1 } from "../nested/V1.ts"
import { OrgBody as BodyV2, OrgItem as ItemV2 } from "../nested/V2.ts"
import { beside, Choice, expanding, FlagWord, Ids, inRealm, listOf, maybe, Permissions, paging, Text } from "../Wire.ts"

/** What the versions see differently. */
interface Shapes<Item, Body, States, Creation, Change> {
  readonly item: Item
  readonly body: Body
  readonly states: States
  readonly creation: Creation
  readonly change: Change
}

/** What may be asked for with a new org: inside the wrapper or beside it (decision 7). */
const extras = <User extends Schema.Top>(user: User) => ({
  user_ids: maybe(Ids),
  user: maybe(user),
  permissions: maybe(Permissions)
})

const path = { org_id: Schema.String }

/** Orgs (section 4, "Orgs", of both documents), but for their deletion. */
const orgs = <
  Item extends Schema.Top,
  Body extends Schema.Top,
  States extends ReadonlyArray<string>,
  Creation extends Schema.Top,
  Change extends Schema.Top
>({
  item,
  body,
  states,
  creation,
  change
}: Shapes<Item, Body, States, Creation, Change>) =>
  [
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...paging(orgSorts),
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(states)),
        expand: Schema.optionalKey(expanding(["custom"]))
      },
      success: listOf(item)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, expand: Schema.optionalKey(expanding(["memberships"])) },
      success: body
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: creation,
      success: body.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org"),
    HttpApiEndpoint.put("update", "/:org_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ org: change, ...beside }),
      success: body
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org")
  ] as const

// Who comes of a signup token is made as a user, not alongside an org.
const { token: _, ...aloneV1 } = userFieldsV1
const withV1 = extras(Schema.Struct(aloneV1).annotate({ problem: { code: "not_object" } }))
const withV2 = extras(Schema.Struct(userFieldsV2).annotate({ problem: { code: "not_object" } }))

/** Orgs of `/v1`: there is no `closed` state, and deleting removes. */
export class OrgsV1 extends HttpApiGroup.make("v1.orgs")
  .add(
    ...orgs({
      item: ItemV1,
      body: BodyV1,
      states: statesV1,
      creation: Schema.Struct({ org: Schema.Struct({ ...fieldsV1, ...withV1 }), ...withV1, ...beside }),
      change: Schema.Struct(fieldsV1)
    }),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v1/orgs")
  .annotateEndpoints(Resource, "org")
  .pipe(requireTenantAccess) {}

/** Orgs of `/v2`: deleting closes, unless it is forced. */
export class OrgsV2 extends HttpApiGroup.make("v2.orgs")
  .add(
    ...orgs({
      item: ItemV2,
      body: BodyV2,
      states: orgStates,
      creation: Schema.Struct({ org: Schema.Struct({ ...fieldsV2, ...withV2 }), ...withV2, ...beside }),
      change: Schema.Struct(fieldsV2)
    }),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, force: Schema.optionalKey(FlagWord) },
      success: [BodyV2, HttpApiSchema.Accepted]
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/orgs")
  .annotateEndpoints(Resource, "org")
  .pipe(requireTenantAccess) {}
