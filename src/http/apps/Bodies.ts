import type { ConnectedAppBody, ConnectedAppItem } from "#api/apps/Endpoints"
import { type LogoFile, logoPath } from "#domain/Appearance"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { Version } from "#domain/Event"
import { appPagePath } from "#domain/HostedPaths"
import { timeT } from "../WireMapping.ts"

/** What names an app beside its own attributes: the versions call it differently. */
interface Naming {
  readonly version: Version
  readonly domain: string
  readonly origin: string
}

/** An app in a list. `domain`, `origin`: of its login pages. */
export const appItem = (app: ConnectedApp, { version, domain, origin }: Naming): typeof ConnectedAppItem.Type => ({
  id: app.id,
  object: version === "v1" ? "login_policy" : "client_app",
  name: app.name,
  realm_id: app.realmId,
  subdomain: app.subdomain,
  domains: [domain],
  login_url: `${origin}${appPagePath("login")}`
})

const logoUrl = (file: LogoFile | null, { origin }: Naming): string | null =>
  file === null ? null : `${origin}${logoPath(file)}`

/** An app as a single read shows it. */
export const appBody = (app: ConnectedApp, naming: Naming): typeof ConnectedAppBody.Type => ({
  ...appItem(app, naming),
  state: app.state,
  header: app.header,
  footer: app.footer,
  external_css: app.externalCss,
  login_handler: app.loginHandler,
  signup_handler: app.signupHandler,
  redirect_uris: app.redirectUris,
  logout_uris: app.logoutUris,
  signup_mode: app.signupMode,
  require_password_confirmation: app.requirePasswordConfirmation,
  require_names: app.requireNames,
  require_org_name: app.requireOrgName,
  allow_jsonp: app.allowJsonp,
  auto_continue: app.autoContinue,
  allow_invitations: app.allowInvitations,
  invitation_permissions: app.invitationPermissions,
  appearance: {
    name: app.appearance.name,
    logo_url: logoUrl(app.appearance.logo, naming),
    dark_logo_url: logoUrl(app.appearance.darkLogo, naming),
    color: app.appearance.color,
    dark_color: app.appearance.darkColor
  },
  created_at: timeT(app.createdAt)
})
