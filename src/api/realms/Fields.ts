import { Schema } from "effect"
import { jwtAlgorithms } from "#domain/JwtKey"
import { jwtFields, realmStates } from "#domain/Realm"
import { isStorable } from "#domain/Text"
import { pageLinkProblem } from "#domain/WebUrl"
import { Choice, Custom, Flag, Integer, List, maybe, requestAttributes, Text, Words } from "../Wire.ts"

/** The values of `jwt_scopes`, which `/v2` has in place of `jwt_fields` (C18). */
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

/** The limits that a realm has in place of the default ones: how often, per window of the default limit (C45). */
export const Limits = Schema.Struct({
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

/** What a caller may set of a realm, in both versions (`v1.realm`, C18). */
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

/** The body of a creation and of an update. */
export const payload = Schema.Struct({ realm: Schema.Struct(settings), ...requestAttributes })

export type RealmPayload = (typeof payload)["Type"]["realm"]
