import type { BrandBody } from "#api/apps/Brand"
import type { ConnectedAppBody, ConnectedAppItem } from "#api/apps/Endpoints"
import type { Brand } from "#core/apps/Apps"
import { type App, type AppWithSecret, emptyAppSettings, emptyOAuthSettings, type ListedApp } from "#domain/App"
import { type LogoFile, type LogoMember, logoPath } from "#domain/Appearance"
import { clientIdOf } from "#domain/clients/OAuthClient"
import type { Version } from "#domain/Event"
import { appPagePath } from "#domain/HostedPaths"
import type { LoginDomains } from "#platform/LoginDomains"
import { logoDataUrl } from "#platform/LogoDataUrl"
import { timeT } from "../WireMapping.ts"

/** The API version, which determines the names in a body, and the login domains for its URLs. */
interface Naming {
  readonly version: Version
  readonly domains: LoginDomains["Service"]
  /** The subdomain of the login pages for an OAuth client's users, or undefined if there are none. */
  readonly loginSubdomain?: string | undefined
}

const originOf = (subdomain: string | null, { domains }: Naming): string | undefined =>
  subdomain === null ? undefined : domains.origin(subdomain)

/** An app in a list. */
export const appItem = (app: ListedApp, naming: Naming): typeof ConnectedAppItem.Type => {
  const { subdomain } = app
  const origin = originOf(subdomain, naming)
  return {
    id: app.id,
    object: naming.version === "v1" ? "login_policy" : "client_app",
    name: app.name,
    realm_id: app.realmId,
    client_type: app.clientType,
    subdomain,
    domains: subdomain === null ? [] : [naming.domains.of(subdomain)],
    login_url: origin === undefined ? null : `${origin}${appPagePath("login")}`
  }
}

/** Returns the URL of a logo. It is on the host of the app's own pages, or of the login pages for an OAuth client's users. */
const logoUrl = (
  file: LogoFile | null,
  { id, clientType }: App,
  subdomain: string | null,
  naming: Naming
): string | null => {
  const isClient = clientType !== "standard"
  const origin = originOf(isClient ? (naming.loginSubdomain ?? null) : subdomain, naming)
  return file === null || origin === undefined ? null : `${origin}${logoPath(file, isClient ? id : undefined)}`
}

/** The brand of an app. */
export const brandBody = ({ app, logos }: Brand): typeof BrandBody.Type => {
  const { name, color, darkColor, background, darkBackground, font, radius, layout } = app.appearance
  const logo = (member: LogoMember) => (logos[member] === undefined ? null : logoDataUrl(logos[member]))
  const { header, footer, externalCss } = app.clientType === "standard" ? app : emptyAppSettings
  return {
    object: "brand",
    appearance: {
      name,
      logo: logo("logo"),
      dark_logo: logo("darkLogo"),
      color,
      dark_color: darkColor,
      background,
      dark_background: darkBackground,
      font,
      radius,
      layout,
      email_logo: logo("emailLogo"),
      dark_email_logo: logo("darkEmailLogo")
    },
    header,
    footer,
    external_css: externalCss
  }
}

/** A complete app. */
export const appBody = (app: App, naming: Naming): typeof ConnectedAppBody.Type => {
  const pages = app.clientType === "standard" ? app : emptyAppSettings
  const { subdomain } = pages
  const oauth = app.clientType === "standard" ? emptyOAuthSettings : app
  return {
    ...appItem({ ...app, subdomain }, naming),
    state: app.state,
    header: pages.header,
    footer: pages.footer,
    external_css: pages.externalCss,
    login_handler: pages.loginHandler,
    signup_handler: pages.signupHandler,
    redirect_uris: app.redirectUris,
    logout_uris: pages.logoutUris,
    signup_mode: pages.signupMode,
    require_password_confirmation: pages.requirePasswordConfirmation,
    require_names: pages.requireNames,
    require_org_name: pages.requireOrgName,
    allow_jsonp: pages.allowJsonp,
    auto_continue: pages.autoContinue,
    allow_invitations: pages.allowInvitations,
    invitation_permissions: pages.invitationPermissions,
    appearance: {
      name: app.appearance.name,
      logo_url: logoUrl(app.appearance.logo, app, subdomain, naming),
      dark_logo_url: logoUrl(app.appearance.darkLogo, app, subdomain, naming),
      color: app.appearance.color,
      dark_color: app.appearance.darkColor,
      background: app.appearance.background,
      dark_background: app.appearance.darkBackground,
      font: app.appearance.font,
      radius: app.appearance.radius,
      layout: app.appearance.layout,
      email_logo_url: logoUrl(app.appearance.emailLogo, app, subdomain, naming),
      dark_email_logo_url: logoUrl(app.appearance.darkEmailLogo, app, subdomain, naming)
    },
    post_logout_redirect_uris: oauth.postLogoutRedirectUris,
    backchannel_logout_uri: oauth.backchannelLogoutUri,
    client_uri: oauth.clientUri,
    initiate_login_uri: oauth.initiateLoginUri,
    grant_types: oauth.grantTypes,
    token_endpoint_auth_method: oauth.tokenEndpointAuthMethod,
    jwks: oauth.jwks === null ? null : JSON.parse(oauth.jwks),
    jwks_uri: oauth.jwksUri,
    allowed_scopes: oauth.allowedScopes,
    resources: oauth.resources,
    consent: oauth.consent,
    id_token_claims: oauth.idTokenClaims,
    require_pkce: oauth.requirePkce,
    require_par: oauth.requirePar,
    require_dpop: oauth.requireDpop,
    access_token_minutes: oauth.accessTokenMinutes,
    refresh_token_days: oauth.refreshTokenDays,
    login_app_id: oauth.loginAppId,
    client_id: app.clientType === "standard" ? null : clientIdOf(app),
    registration: app.clientType === "standard" ? null : (app.registration?.kind ?? null),
    created_at: timeT(app.createdAt)
  }
}

/** An app with its secret, which is returned only once. */
export const bodyWithSecret = ({ app, clientSecret }: AppWithSecret, naming: Naming): typeof ConnectedAppBody.Type => ({
  ...appBody(app, naming),
  ...(clientSecret === null ? {} : { client_secret: clientSecret })
})
