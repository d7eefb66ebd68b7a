import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { domainProblems, LOST_AFTER_DAYS } from "#domain/DomainProof"
import { orgDomainStates } from "#domain/OrgDomain"
import { RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { realmId } from "../memberships/Members.ts"
import { Choice, listOf, MaybeTime, pageQuery, realmQuery, requestAttributes, Text } from "../Wire.ts"

const time = (what: string) => describe(MaybeTime, `Unix time in seconds, with up to three decimals, ${what}`)

/** Why a domain's last check failed. */
const DomainProblemBody = Schema.Struct({
  code: describe(
    Schema.Literals(domainProblems),
    "The reason: the name of the record does not exist (`nxdomain`), has no TXT records (`no_record`), only other ones (`wrong_value`), too many (`too_large`) or is an alias (`alias`); the lookup failed (`servfail`) or took too long (`timeout`); the resolvers contradict each other (`disagreement`); another org owns the domain and its record still exists (`held`), or has proved it after this org's record was gone (`replaced`)."
  ),
  message: describe(Schema.String, "The reason as a sentence, in the language of the request."),
  found: describe(
    Schema.Array(Schema.String),
    "For `wrong_value`: the first three TXT records found instead, each cut to 120 characters."
  )
}).annotate({ identifier: "DomainProblem" })

/** An email domain of an org. */
export const DomainBody = Schema.Struct({
  id: describe(Schema.String, "The domain's ID, which begins with `dom_`."),
  object: objectType("domain"),
  realm_id: realmId,
  org_id: describe(Schema.String, "The ID of the org."),
  domain: describe(Schema.String, "The domain, in lower case and ASCII: `bücher.de` is `xn--bcher-kva.de`."),
  state: describe(
    Schema.Literals(orgDomainStates),
    `\`pending\` until the record is found, then \`verified\`: the org owns the domain. \`lost\` after ${LOST_AFTER_DAYS} days without the record, or if another org has proved the domain since.`
  ),
  txt: describe(
    Schema.Struct({
      name: describe(Schema.String, "The full name of the record."),
      value: describe(Schema.String, "The text of the record. It is not secret.")
    }),
    "The TXT record that proves the domain. It must remain as long as the org uses the domain."
  ),
  created_at: createdAt,
  verified_at: time("at which the org last proved the domain; null if never."),
  checked_at: time("of the last check; null if none."),
  next_check_at: time("of the next daily check; null if the domain is not verified."),
  missed_since: time(
    `of the first check that missed the record since the last success; null if there is none. The domain is lost ${LOST_AFTER_DAYS} days later.`
  ),
  problem: describe(Schema.NullOr(DomainProblemBody), "Why the last check failed; null if it succeeded.")
}).annotate({ identifier: "Domain" })

const path = { domain_id: Schema.String }

/** The email domains that orgs have proved, or want to prove (C309). */
export class DomainsV2 extends HttpApiGroup.make("v2.domains")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(["id"]),
        org_id: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(orgDomainStates))
      },
      success: listOf(DomainBody)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:domain_id", {
      disableCodecs: true,
      params: path,
      query: realmQuery,
      success: DomainBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        domain: describe(
          Schema.Struct({
            org_id: describe(Text(), "The ID of the org, which must not be closed."),
            domain: describe(
              Text(1_016),
              "The domain of email addresses, such as `example.com`, in any case and script. Subdomains are separate domains."
            )
          }),
          "The new domain."
        ),
        ...requestAttributes
      }),
      success: DomainBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "admin_realm")
      .annotate(Wrapper, "domain")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.post("verify", "/:domain_id/verify", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct(requestAttributes),
      success: DomainBody
    }).annotate(RequiredLevel, "admin_realm"),
    HttpApiEndpoint.delete("delete", "/:domain_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "admin_realm")
  )
  .prefix("/v2/domains")
  .annotateEndpoints(Resource, "domain")
  .pipe(requireTenantAccess) {}
