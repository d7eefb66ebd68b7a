import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { fields } from "../Fields.ts"
import { timeText } from "../Time.ts"

const listed = (texts: ReadonlyArray<string>) => texts.join(" ")

/** The fields of an app with hosted pages. */
const pagesOf = (app: ConnectedApp) => ({
  "Login page": app.login_url ?? "",
  "Login handler": app.login_handler ?? "",
  "Sign-up": app.signup_mode,
  "Redirect URIs": listed(app.redirect_uris)
})

/** The fields of an OAuth client. */
const clientOf = (app: ConnectedApp) => ({
  Grants: listed(app.grant_types),
  Authentication: app.token_endpoint_auth_method ?? "",
  "Redirect URIs": listed(app.redirect_uris),
  "Logout URIs": listed(app.post_logout_redirect_uris),
  Scopes: listed(app.allowed_scopes),
  Resources: listed(app.resources),
  Consent: app.consent ?? "",
  "ID tokens": app.id_token_claims ?? "",
  "Login app": app.login_app_id ?? (app.client_type === "machine" ? "" : "the realm's oldest")
})

/** Formats the most important fields of a connected app. Empty fields are left out. */
export const shownApp = (app: ConnectedApp): string => {
  const members = {
    ...(app.client_secret === undefined ? {} : { Secret: app.client_secret }),
    ID: app.id,
    Name: app.name,
    Type: app.client_type,
    State: app.state,
    Realm: app.realm_id,
    ...(app.client_type === "standard" ? pagesOf(app) : clientOf(app)),
    Created: timeText(app.created_at)
  }
  return fields(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")))
}
