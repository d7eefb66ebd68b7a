import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { jwtAlgorithms } from "#domain/JwtKey"
import { jwtFields, realmSorts, realmStates } from "#domain/Realm"
import { isStorable } from "#domain/Text"
import { pageLinkProblem } from "#domain/WebUrl"
import { AccountAccess, Answer, Idempotency, RequiredLevel, Resource, TenantAccess, Wrapper } from "../Access.ts"
import { beside, Choice, Custom, expanding, Flag, Integer, List, listOf, maybe, paging, Text, Words } from "../Wire.ts"

/** v2's form of `jwt_fields` (decision 18). */
export const jwtScopes = ["ar.orgs", "ar.custom"] as const

const isLink = (text: string): boolean => !isStorable(text) || pageLinkProblem(text) !== "url_form"

const url = Text(2_048).check(
  Schema.makeFilter(isLink, { problem: { code: "url_form" } }),
  Schema.makeFilter((text: string) => pageLinkProblem(text) !== "url_parts", { problem: { code: "url_parts" } }),
  Schema.makeFilter((text: string) => pageLinkProblem(text) !== "target_scheme", { problem: { code: "target_scheme" } })
)

const ResourceLink = Schema.Struct({ resource: Choice(["org", "user"]), title: Text(), url }).annotate({
  problem: { code: "not_object" }
})

const limit = Schema.optionalKey(Integer)

/** What a realm has in place of the default limits (decision 45): how often, in the windows of those. */
const Limits = Schema.Struct({
  reads: limit,
  writes: limit,
  attempts: limit,
  hosted: limit,
  hosted_sustained: limit,
  mails: limit,
  mails_sustained: limit,
  visitor_mails: limit,
  visitor_mails_sustained: limit,
  invitations: limit
}).annotate({ problem: { code: "not_object" } })

/** What a caller may set of a realm, in both versions (api-v1 section 2, decision 18). */
const settings = {
  name: maybe(Text()),
  state: Schema.optionalKey(Choice(realmStates)),
  reference: maybe(Text()),
  custom: maybe(Custom),
  environment: Schema.optionalKey(Choice(["live", "test"])),
  username_validation_human: Schema.optionalKey(Choice(["standard", "email"])),
  require_unique_emails: Schema.optionalKey(Flag),
  api_key_prefix: maybe(Text()),
  api_key_policy: Schema.optionalKey(Choice(["encrypt", "hash"])),
  jwt_algo: Schema.optionalKey(Choice(jwtAlgorithms)),
  jwt_fields: Schema.optionalKey(Words(Choice(jwtFields))),
  jwt_scopes: Schema.optionalKey(Words(Choice(jwtScopes))),
  jwt_claims: Schema.optionalKey(Choice(["v2", "both"])),
  session_type: Schema.optionalKey(Choice(["managed", "unmanaged"])),
  session_minutes: Schema.optionalKey(Integer),
  session_tokens: Schema.optionalKey(Choice(["all", "write"])),
  api_key_minutes: Schema.optionalKey(Integer),
  org_mode: Schema.optionalKey(Choice(["single_user", "multi_user"])),
  signup: Schema.optionalKey(Choice(["open", "invitation", "closed"])),
  email_verification: Schema.optionalKey(Choice(["none", "request", "preverify"])),
  default_locale: Schema.optionalKey(Text()),
  available_locales: Schema.optionalKey(Words(Text())),
  limits: maybe(Limits),
  event_retention_days: maybe(Integer),
  resource_links: Schema.optionalKey(List(ResourceLink))
}

const payload = Schema.Struct({ realm: Schema.Struct(settings), ...beside })

export type RealmPayload = (typeof payload)["Type"]["realm"]

const MaybeText = Schema.NullOr(Schema.String)

const itemFields = {
  id: Schema.String,
  object: Schema.Literal("realm"),
  name: Schema.String,
  state: Schema.String,
  reference: MaybeText
}

/** A realm in a list; `custom` only with `expand=custom`. */
export const RealmItem = Schema.Struct({ ...itemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "RealmItem"
})

const readFields = {
  ...itemFields,
  custom: Custom,
  environment: Schema.String,
  username_validation_human: Schema.String,
  require_unique_emails: Schema.Boolean,
  api_key_prefix: MaybeText,
  api_key_policy: Schema.String,
  jwt_algo: Schema.String,
  jwt_claims: Schema.String,
  jwt_key: MaybeText,
  session_type: Schema.String,
  session_minutes: Schema.Finite,
  session_tokens: Schema.String,
  api_key_minutes: Schema.Finite,
  org_mode: Schema.String,
  signup: Schema.String,
  email_verification: Schema.String,
  default_locale: Schema.String,
  available_locales: Schema.Array(Schema.String),
  resource_links: Schema.Array(Schema.Struct({ resource: Schema.String, title: Schema.String, url: Schema.String })),
  limits: Limits,
  /** Null: as long as the deployment keeps them. */
  event_retention_days: Schema.NullOr(Schema.Finite),
  created_at: Schema.Finite
}

/** A realm as `/v1` reads it. The hs256 `jwt_key` from level `admin_realm` only (decision 6). */
export const RealmBodyV1 = Schema.Struct({
  ...readFields,
  jwt_fields: Schema.Array(Schema.String),
  jwt_secret: MaybeText
}).annotate({ identifier: "RealmV1" })

/** A realm as `/v2` reads it. */
export const RealmBodyV2 = Schema.Struct({ ...readFields, jwt_scopes: Schema.Array(Schema.String) }).annotate({
  identifier: "Realm"
})

const path = { realm_id: Schema.String }

/** What a reset is to clear; what is left out is as `clearedByDefault` has it. */
const resets = {
  app_hooks: maybe(Flag),
  auth_providers: maybe(Flag),
  login_policies: maybe(Flag),
  orgs: maybe(Flag),
  users: maybe(Flag)
}

/** Realms under one version (api-v1 section 4, "Realms"). */
const realms = <const Version extends "v1" | "v2", Body extends Schema.Top>(version: Version, body: Body) =>
  HttpApiGroup.make(`${version}.realms`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: {
          ...paging(realmSorts),
          reference: Schema.optionalKey(Text()),
          state: Schema.optionalKey(Choice(realmStates)),
          expand: Schema.optionalKey(expanding(["custom"]))
        },
        success: listOf(RealmItem)
      })
        .annotate(RequiredLevel, "read")
        .middleware(AccountAccess),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload,
        success: body.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_all_realms")
        .annotate(Wrapper, "realm")
        .middleware(Idempotency)
        .middleware(AccountAccess),
      HttpApiEndpoint.get("get", "/:realm_id", { disableCodecs: true, params: path, success: body })
        .annotate(RequiredLevel, "read")
        .middleware(TenantAccess),
      HttpApiEndpoint.put("update", "/:realm_id", { disableCodecs: true, params: path, payload, success: body })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "realm")
        .middleware(TenantAccess),
      HttpApiEndpoint.delete("delete", "/:realm_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.Accepted
      })
        .annotate(RequiredLevel, "admin_all_realms")
        .middleware(TenantAccess),
      HttpApiEndpoint.post("reset", "/:realm_id/reset", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ ...resets, ...beside }),
        success: body.pipe(HttpApiSchema.status(202))
      })
        .annotate(RequiredLevel, "admin_realm")
        .middleware(Idempotency)
        .middleware(TenantAccess)
    )
    .prefix(`/${version}/realms`)
    .annotateEndpoints(Resource, "realm")
    .middleware(Answer)

export const RealmsV1 = realms("v1", RealmBodyV1)
export const RealmsV2 = realms("v2", RealmBodyV2)
