import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { registrationModes } from "#domain/clients/ClientRegistration"
import { jwtAlgorithms } from "#domain/JwtKey"
import { mfaModes, realmSorts, realmStates } from "#domain/Realm"
import { jwtMaxBytes } from "#domain/TokenSize"
import {
  AccountAccess,
  AllProblems,
  ErrorResponses,
  Idempotency,
  RequiredLevel,
  Resource,
  RulesFirst,
  TenantAccess,
  Wrapper
} from "../Access.ts"
import { createdAt, customKeywords, describe, objectType } from "../Description.ts"
import {
  Choice,
  Custom,
  expandQuery,
  Flag,
  listOf,
  MaybeText,
  maybe,
  pageQuery,
  requestAttributes,
  Text
} from "../Wire.ts"
import { Limits, payload } from "./Fields.ts"
import { texts } from "./Texts.ts"

const itemFields = {
  id: describe(Schema.String, "The realm's ID, which begins with `rl_`."),
  object: objectType("realm"),
  name: describe(Schema.String, "The name shown on pages and in emails."),
  state: describe(Schema.String, texts.state, { enum: realmStates }),
  reference: describe(MaybeText, texts.reference)
}

const custom = describe(Custom, texts.custom, customKeywords)

/** A realm in a list. `custom` requires `expand=custom`. */
export const RealmItem = Schema.Struct({
  ...itemFields,
  custom: describe(Schema.optionalKey(Custom), `${texts.custom} Only with \`expand=custom\`.`, customKeywords)
}).annotate({ identifier: "RealmItem" })

const ShownLink = Schema.Struct({
  resource: describe(Schema.String, "The resource that the link is shown for: `org` or `user`.", {
    enum: ["org", "user"]
  }),
  title: describe(Schema.String, "The text of the link."),
  url: describe(Schema.String, "The URL, with unreplaced variables.")
})

const ShownRole = Schema.Struct({
  name: describe(Schema.String, "The displayed name."),
  permissions: describe(Schema.Array(Schema.String), "The permissions of members with the role.")
})

/** The members of a realm that both versions share. */
export const realmBodyFields = {
  ...itemFields,
  custom,
  environment: describe(Schema.String, texts.environment, { enum: ["live", "test"] }),
  username_validation_human: describe(Schema.String, texts.username_validation_human, { enum: ["standard", "email"] }),
  require_unique_emails: describe(Schema.Boolean, texts.require_unique_emails),
  api_key_prefix: describe(MaybeText, texts.api_key_prefix),
  api_key_policy: describe(Schema.String, texts.api_key_policy, { enum: ["encrypt", "hash"] }),
  jwt_algo: describe(Schema.String, "The algorithm of the key that signs tokens: `hs256` or `rs256`.", {
    enum: jwtAlgorithms
  }),
  jwt_claims: describe(Schema.String, texts.jwt_claims, { enum: ["v2", "both"] }),
  jwt_key: describe(
    MaybeText,
    "The key that verifies tokens: a public key in PEM (`rs256`), or the secret (`hs256`), visible only to keys of level `admin_realm` and above; null for others."
  ),
  session_type: describe(Schema.String, texts.session_type, { enum: ["managed", "unmanaged"] }),
  session_minutes: describe(Schema.Finite, texts.session_minutes, { type: "integer", minimum: 0 }),
  mfa: describe(Schema.String, texts.mfa, { enum: mfaModes }),
  session_tokens: describe(Schema.String, texts.session_tokens, { enum: ["all", "write"] }),
  record_unknown_names: describe(Schema.Boolean, texts.record_unknown_names),
  jwt_max_bytes: describe(Schema.Finite, texts.jwt_max_bytes, { type: "integer", minimum: jwtMaxBytes.least }),
  api_key_minutes: describe(Schema.Finite, texts.api_key_minutes, { type: "integer", minimum: 0 }),
  org_mode: describe(Schema.String, texts.org_mode, { enum: ["single_user", "multi_user"] }),
  signup: describe(Schema.String, texts.signup, { enum: ["open", "invitation", "closed"] }),
  signup_fields: describe(Schema.Array(Schema.String), texts.signup_fields),
  email_verification: describe(Schema.String, texts.email_verification, { enum: ["none", "request", "preverify"] }),
  default_locale: describe(Schema.String, texts.default_locale),
  available_locales: describe(Schema.Array(Schema.String), texts.available_locales),
  resource_links: describe(Schema.Array(ShownLink), texts.resource_links),
  limits: describe(Limits, "The realm's own rate limits, which replace the defaults. Other limits are not listed."),
  /** Null if the realm uses the deployment's retention. */
  event_retention_days: describe(
    Schema.NullOr(Schema.Finite),
    "The number of days for which events are stored; null for the deployment's setting.",
    { type: ["integer", "null"] }
  ),
  account_deletion_days: describe(Schema.NullOr(Schema.Finite), texts.account_deletion_days, {
    type: ["integer", "null"]
  }),
  trusted_devices_days: describe(Schema.NullOr(Schema.Finite), texts.trusted_devices_days, {
    type: ["integer", "null"]
  }),
  passkey_rp_id: describe(MaybeText, texts.passkey_rp_id),
  oauth_scopes: describe(Schema.Array(Schema.String), texts.oauth_scopes),
  client_registration: describe(Schema.String, texts.client_registration, { enum: registrationModes }),
  registration_scopes: describe(Schema.Array(Schema.String), texts.registration_scopes),
  registration_resources: describe(Schema.Array(Schema.String), texts.registration_resources),
  roles: describe(Schema.Array(ShownRole), texts.roles),
  created_at: createdAt
}

const path = { realm_id: Schema.String }

/** The resources that a reset can delete. */
const resets = {
  app_hooks: describe(maybe(Flag), "Whether to delete hooks. The default hooks are recreated. Default: false.", {
    default: false
  }),
  auth_providers: describe(
    maybe(Flag),
    "Whether to delete external auth providers, and restore the defaults of `password`, `totp` and `passkey`. Default: false.",
    { default: false }
  ),
  login_policies: describe(maybe(Flag), "Whether to delete connected apps. Default: false.", { default: false }),
  orgs: describe(maybe(Flag), "Whether to delete orgs, with their memberships and invitations. Default: true.", {
    default: true
  }),
  users: describe(maybe(Flag), "Whether to delete users, with everything that belongs to them. Default: true.", {
    default: true
  })
}

/** Realms (`v1.realms`). `getQuery` contains the query parameters for reading a realm. */
export const realms = <
  const Version extends "v1" | "v2",
  Body extends Schema.Top,
  GetQuery extends HttpApiEndpoint.QueryConstraint
>(
  version: Version,
  body: Body,
  getQuery: GetQuery
) =>
  HttpApiGroup.make(`${version}.realms`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: {
          ...pageQuery(realmSorts),
          reference: Schema.optionalKey(Text()),
          state: Schema.optionalKey(Choice(realmStates)),
          ...expandQuery("custom")
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
        .annotate(RulesFirst, true)
        .middleware(AllProblems)
        .middleware(Idempotency)
        .middleware(AccountAccess),
      HttpApiEndpoint.get("get", "/:realm_id", {
        disableCodecs: true,
        params: path,
        query: getQuery,
        success: body
      })
        .annotate(RequiredLevel, "read")
        .middleware(TenantAccess),
      HttpApiEndpoint.put("update", "/:realm_id", { disableCodecs: true, params: path, payload, success: body })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "realm")
        .annotate(RulesFirst, true)
        .middleware(AllProblems)
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
        payload: Schema.Struct({ ...resets, ...requestAttributes }),
        success: body.pipe(HttpApiSchema.status(202))
      })
        .annotate(RequiredLevel, "admin_realm")
        .middleware(Idempotency)
        .middleware(TenantAccess)
    )
    .prefix(`/${version}/realms`)
    .annotateEndpoints(Resource, "realm")
    .middleware(ErrorResponses)
