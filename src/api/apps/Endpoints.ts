import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { appSorts, appStates, signupModes } from "#domain/ConnectedApp"
import { clientTypes } from "#domain/clients/OAuthClient"
import { RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { createdAt, describe } from "../Description.ts"
import { realmId } from "../memberships/Members.ts"
import { EmptyBody, listOf, MaybeText, pageQuery, realmQuery, requestAttributes } from "../Wire.ts"
import { brand, lookMembers } from "./Brand.ts"
import { Settings } from "./Fields.ts"
import { oauthMembers } from "./OAuthMembers.ts"
import { texts } from "./Texts.ts"

const itemFields = {
  id: describe(Schema.String, "The app's ID, which begins with `lpl_`."),
  object: describe(
    Schema.Literals(["login_policy", "client_app"]),
    "The type of the object: always `client_app`; under `/v1`, `login_policy`."
  ),
  name: describe(Schema.String, texts.name),
  realm_id: realmId,
  client_type: describe(Schema.String, texts.client_type, { enum: clientTypes }),
  subdomain: describe(MaybeText, `${texts.subdomain} Null for OAuth clients, which have no pages.`),
  domains: describe(
    Schema.Array(Schema.String),
    "The hosts of the app's pages. There is one, which consists of the app's subdomain and the deployment's region and login domain; OAuth clients have none."
  ),
  login_url: describe(
    MaybeText,
    "The address of the app's login page. Send people there to log in, with `state` in the query. Null for OAuth clients.",
    { format: "uri" }
  )
}

/** A connected app in a list. */
export const ConnectedAppItem = Schema.Struct(itemFields).annotate({ identifier: "ConnectedAppItem" })

const logoUrl = (description: string) =>
  describe(MaybeText, `${description} Null if none, or if an OAuth client's realm has no login pages.`, {
    format: "uri"
  })

/** The appearance of an app's pages. */
const AppearanceBody = Schema.Struct({
  name: describe(MaybeText, `${texts.appearance_name} Null if none.`),
  logo_url: logoUrl(
    "The URL of the logo. It is on the host of the app's pages or, for an OAuth client, on the host where its users log in. A new logo has a new URL."
  ),
  dark_logo_url: logoUrl("The URL of the logo for a dark background."),
  ...lookMembers,
  email_logo_url: logoUrl("The URL of the logo for emails."),
  dark_email_logo_url: logoUrl("The URL of the logo for emails on a dark background.")
}).annotate({ identifier: "Appearance" })

/** A complete connected app. */
export const ConnectedAppBody = Schema.Struct({
  ...itemFields,
  state: describe(Schema.String, texts.state, { enum: appStates }),
  header: describe(MaybeText, `${texts.header} Null if none.`),
  footer: describe(MaybeText, `${texts.footer} Null if none.`),
  external_css: describe(MaybeText, `${texts.external_css} Null if none.`),
  login_handler: describe(
    MaybeText,
    `${texts.login_handler} Null if none: people then stay on the app's \`/profile\`.`
  ),
  signup_handler: describe(MaybeText, `${texts.signup_handler} Null if none.`),
  redirect_uris: describe(Schema.Array(Schema.String), texts.redirect_uris),
  logout_uris: describe(Schema.Array(Schema.String), texts.logout_uris),
  signup_mode: describe(Schema.String, texts.signup_mode, { enum: signupModes }),
  require_password_confirmation: describe(Schema.Boolean, texts.require_password_confirmation),
  require_names: describe(Schema.Boolean, texts.require_names),
  require_org_name: describe(Schema.Boolean, texts.require_org_name),
  allow_jsonp: describe(Schema.Boolean, texts.allow_jsonp),
  auto_continue: describe(Schema.Boolean, texts.auto_continue),
  allow_invitations: describe(Schema.Boolean, texts.allow_invitations),
  invitation_permissions: describe(Schema.Array(Schema.String), texts.invitation_permissions),
  appearance: describe(AppearanceBody, "The appearance of the app's pages."),
  ...oauthMembers,
  created_at: createdAt
}).annotate({ identifier: "ConnectedApp" })

const path = { app_id: Schema.String }

interface Names<Group extends string, Payload extends Schema.Top> {
  readonly group: Group
  readonly prefix: `/${string}`
  readonly wrapper: string
  readonly payload: Payload
}

/** Connected apps. The versions differ only in names (C13). */
const connectedApps = <const Group extends string, Payload extends Schema.Top>({
  group,
  prefix,
  wrapper,
  payload
}: Names<Group, Payload>) =>
  HttpApiGroup.make(group)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: pageQuery(appSorts, 100),
        success: listOf(ConnectedAppItem)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:app_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: ConnectedAppBody
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload,
        success: ConnectedAppBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper)
        .annotate(RulesFirst, true),
      HttpApiEndpoint.put("update", "/:app_id", {
        disableCodecs: true,
        params: path,
        payload,
        success: ConnectedAppBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper)
        .annotate(RulesFirst, true),
      HttpApiEndpoint.delete("delete", "/:app_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("rotateSecret", "/:app_id/rotate_secret", {
        disableCodecs: true,
        params: path,
        payload: EmptyBody,
        success: ConnectedAppBody
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(prefix)
    .annotateEndpoints(Resource, wrapper)
    .pipe(requireTenantAccess)

/** Connected apps of `/v1`, which calls them login policies. */
export class ConnectedAppsV1 extends connectedApps({
  group: "v1.login_policies",
  prefix: "/v1/login_policies",
  wrapper: "login_policy",
  payload: Schema.Struct({ login_policy: describe(Settings, "The app's settings."), ...requestAttributes })
}) {}

/** Connected apps of `/v2`, which calls them client apps. */
export class ConnectedAppsV2 extends connectedApps({
  group: "v2.client_apps",
  prefix: "/v2/client_apps",
  wrapper: "client_app",
  payload: Schema.Struct({ client_app: describe(Settings, "The app's settings."), ...requestAttributes })
}).add(brand) {}
