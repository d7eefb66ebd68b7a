import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { orgSorts } from "#domain/Org"
import { RequiredLevel, RulesFirst, Wrapper } from "../Access.ts"
import { describe } from "../Description.ts"
import {
  Choice,
  expandQuery,
  Ids,
  maybe,
  Permissions,
  pageQuery,
  realmQuery,
  requestAttributes,
  Text
} from "../Wire.ts"

/** The schemas that differ between the versions. */
interface Shapes<List, Body, States, Creation, Change, Filters, Words> {
  readonly list: List
  /** The `expand` values accepted by the list. */
  readonly listExpands: Words
  readonly body: Body
  readonly states: States
  readonly creation: Creation
  readonly change: Change
  /** The `expand` values accepted when reading a single org. */
  readonly expands: ReadonlyArray<string>
  /** Additional filters of the list. */
  readonly filters: Filters
}

/** The memberships to create together with a new org, inside the wrapper or next to it (C7). */
export const newOrgMemberships = <const Fields extends Schema.Struct.Fields>(userFields: Fields, name: string) => ({
  user_ids: describe(
    maybe(Ids),
    "The IDs of existing users to add as members, up to 5,000. Can be inside the wrapper or next to it. Default: none."
  ),
  user: describe(
    maybe(Schema.Struct(userFields).annotate({ problem: { code: "not_object" }, identifier: name })),
    "A user to create together with the org, as its member. Can be inside the wrapper or next to it. Default: none."
  ),
  permissions: describe(
    maybe(Permissions),
    "The permissions of each membership that is created. Can be inside the wrapper or next to it. Default: none.",
    { maxItems: 20 }
  )
})

export const path = { org_id: Schema.String }

/** Orgs (`v1.orgs`, `v2.orgs`), without their deletion. */
export const orgs = <
  List extends Schema.Top,
  Body extends Schema.Top,
  States extends ReadonlyArray<string>,
  Creation extends Schema.Top,
  Change extends Schema.Top,
  Filters extends { readonly [Name in keyof Filters]: Schema.Encoder<string | undefined> },
  const Words extends ReadonlyArray<string>
>({
  list,
  listExpands,
  body,
  states,
  creation,
  change,
  expands,
  filters
}: Shapes<List, Body, States, Creation, Change, Filters, Words>) =>
  [
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(orgSorts),
        ...filters,
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(states)),
        ...expandQuery(...listExpands)
      },
      success: list
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...realmQuery, ...expandQuery(...expands) },
      success: body
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: creation,
      success: body.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.put("update", "/:org_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ org: describe(change, "The changes."), ...requestAttributes }),
      success: body
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org")
      .annotate(RulesFirst, true)
  ] as const
