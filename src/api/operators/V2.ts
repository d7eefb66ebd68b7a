import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { locales } from "#domain/Locale"
import { operatorRoles } from "#domain/OperatorRole"
import { NullRealm, RequiredLevel, Resource, RulesFirst, requireAccountAccess, Wrapper } from "../Access.ts"
import { ApiKeyBody } from "../access/Endpoints.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { EmailText, emailKeywords } from "../provisioning/Fields.ts"
import { Choice, Flag, listOf, MaybeTime, maybe, pageQuery, QueryFlag, requestAttributes, Text } from "../Wire.ts"

const roleText =
  "The role. `viewer` reads. `support` also helps users: ends sessions and blocks, and resends emails and invitations. `admin` may do what an API key of level `admin_realm` may. `owner` may do everything, and manages the operators."

/** An operator. `url` is only in the responses that invite the operator. */
export const OperatorBody = Schema.Struct({
  id: describe(Schema.String, "The operator's ID, which begins with `usr_`."),
  object: objectType("operator"),
  email: describe(Schema.String, "The operator's email, in lower case."),
  name: describe(Schema.String, "The operator's name, or the local part of the email."),
  role: describe(Schema.String, roleText, { enum: operatorRoles }),
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the realm that the operator is locked to; null if it is for all realms."
  ),
  state: describe(
    Schema.Literals(["invited", "active"]),
    "`invited` until the operator logs in for the first time, then `active`."
  ),
  created_at: createdAt,
  last_login_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the operator last logged in; null if never."
  ),
  url: describe(
    Schema.optionalKey(Schema.String),
    "The link to accept the invitation, which works once and for 7 days. Anyone with the link can set the operator's password. Only in the responses that invite the operator."
  )
}).annotate({ identifier: "Operator" })

/** The settings of the console. */
export const ConsoleBody = Schema.Struct({
  object: objectType("console"),
  api_keys: describe(
    Schema.Boolean,
    "Whether API keys may log in to the console. False if an owner or the deployment (`SALLYPORT_CONSOLE_KEYS`) has turned it off."
  )
}).annotate({ identifier: "ConsoleSettings" })

const path = { operator_id: Schema.String }

const sendEmail = describe(
  maybe(Flag),
  "Whether to email the invitation. If not, pass on the `url` in the response yourself. Default: true."
)

/** The operators of the service (C302). */
export class OperatorsV2 extends HttpApiGroup.make("v2.operators")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: pageQuery(["id"]),
      success: listOf(OperatorBody)
    }).annotate(RequiredLevel, "admin_all_realms"),
    HttpApiEndpoint.get("get", "/:operator_id", {
      disableCodecs: true,
      params: path,
      success: OperatorBody
    }).annotate(RequiredLevel, "admin_all_realms"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        operator: describe(
          Schema.Struct({
            email: describe(EmailText, "The email of the person to invite.", emailKeywords),
            role: describe(Choice(operatorRoles), roleText),
            realm_id: describe(
              maybe(Text()),
              "The ID of the realm to lock the operator to. Owners can't be locked. Null: all realms. Default: the realm in the realm header, if there is one, else all realms. Null together with a realm header gets 400."
            ),
            locale: describe(maybe(Choice(locales)), "The language of the email. Default: `en`."),
            send_email: sendEmail
          }),
          "The new operator."
        ),
        ...requestAttributes
      }),
      success: OperatorBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "admin_all_realms")
      .annotate(Wrapper, "operator")
      .annotate(NullRealm, true)
      .annotate(RulesFirst, true),
    HttpApiEndpoint.put("update", "/:operator_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        operator: describe(
          Schema.Struct({
            role: describe(Choice(operatorRoles), `${roleText} It applies from the operator's next request on.`)
          }),
          "The change."
        ),
        ...requestAttributes
      }),
      success: OperatorBody
    })
      .annotate(RequiredLevel, "admin_all_realms")
      .annotate(Wrapper, "operator"),
    HttpApiEndpoint.post("invite", "/:operator_id/invite", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ send_email: sendEmail, ...requestAttributes }),
      success: OperatorBody
    }).annotate(RequiredLevel, "admin_all_realms"),
    HttpApiEndpoint.get("list_created_keys", "/:operator_id/api_keys", {
      disableCodecs: true,
      params: path,
      query: pageQuery(["id"]),
      success: listOf(ApiKeyBody)
    })
      .annotate(RequiredLevel, "admin_all_realms")
      .annotate(Resource, "api_key"),
    HttpApiEndpoint.delete("delete", "/:operator_id", {
      disableCodecs: true,
      params: path,
      query: { delete_api_keys: Schema.optionalKey(QueryFlag) },
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "admin_all_realms")
  )
  .prefix("/v2/operators")
  .annotateEndpoints(Resource, "operator")
  .pipe(requireAccountAccess) {}

/** The settings of the console (C304). */
export class ConsoleV2 extends HttpApiGroup.make("v2.console")
  .add(
    HttpApiEndpoint.get("get", "/", { disableCodecs: true, success: ConsoleBody }).annotate(
      RequiredLevel,
      "admin_all_realms"
    ),
    HttpApiEndpoint.put("update", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        console: describe(
          Schema.Struct({
            api_keys: describe(Flag, "Whether API keys may log in to the console. Only an owner can turn it off.")
          }),
          "The changes."
        ),
        ...requestAttributes
      }),
      success: ConsoleBody
    })
      .annotate(RequiredLevel, "admin_all_realms")
      .annotate(Wrapper, "console")
  )
  .prefix("/v2/console")
  .annotateEndpoints(Resource, "console")
  .pipe(requireAccountAccess) {}
