import type { ConnectedAppPayload } from "#api/apps/Fields"
import type { AppInput } from "#domain/App"
import type { AppearanceInput } from "#domain/Appearance"
import { omitUndefined } from "../WireMapping.ts"

const appearanceIn = (sent: NonNullable<ConnectedAppPayload["appearance"]>): AppearanceInput =>
  omitUndefined({
    name: sent.name,
    logo: sent.logo,
    darkLogo: sent.dark_logo,
    color: sent.color,
    darkColor: sent.dark_color,
    background: sent.background,
    darkBackground: sent.dark_background,
    font: sent.font,
    radius: sent.radius,
    layout: sent.layout,
    emailLogo: sent.email_logo,
    darkEmailLogo: sent.dark_email_logo
  })

/** The connected app's settings in a request. */
export const appInput = (sent: ConnectedAppPayload): AppInput =>
  omitUndefined({
    state: sent.state,
    name: sent.name,
    subdomain: sent.subdomain,
    header: sent.header,
    footer: sent.footer,
    externalCss: sent.external_css,
    loginHandler: sent.login_handler,
    signupHandler: sent.signup_handler,
    redirectUris: sent.redirect_uris,
    logoutUris: sent.logout_uris,
    signupMode: sent.signup_mode,
    requirePasswordConfirmation: sent.require_password_confirmation,
    requireNames: sent.require_names,
    requireOrgName: sent.require_org_name,
    allowJsonp: sent.allow_jsonp,
    autoContinue: sent.auto_continue,
    allowInvitations: sent.allow_invitations,
    invitationPermissions: sent.invitation_permissions,
    clientType: sent.client_type,
    postLogoutRedirectUris: sent.post_logout_redirect_uris,
    backchannelLogoutUri: sent.backchannel_logout_uri,
    grantTypes: sent.grant_types,
    tokenEndpointAuthMethod: sent.token_endpoint_auth_method,
    jwks: sent.jwks,
    jwksUri: sent.jwks_uri,
    allowedScopes: sent.allowed_scopes,
    resources: sent.resources,
    clientUri: sent.client_uri,
    initiateLoginUri: sent.initiate_login_uri,
    consent: sent.consent,
    idTokenClaims: sent.id_token_claims,
    requirePkce: sent.require_pkce,
    requirePar: sent.require_par,
    requireDpop: sent.require_dpop,
    accessTokenMinutes: sent.access_token_minutes,
    refreshTokenDays: sent.refresh_token_days,
    loginAppId: sent.login_app_id,
    appearance:
      sent.appearance === undefined || sent.appearance === null ? sent.appearance : appearanceIn(sent.appearance)
  })
