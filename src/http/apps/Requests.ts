import type { ConnectedAppPayload } from "#api/apps/Fields"
import type { AppearanceInput } from "#domain/Appearance"
import type { ConnectedAppInput } from "#domain/ConnectedAppInput"
import { omitUndefined } from "../WireMapping.ts"

const appearanceIn = (sent: NonNullable<ConnectedAppPayload["appearance"]>): AppearanceInput =>
  omitUndefined({
    name: sent.name,
    logo: sent.logo,
    darkLogo: sent.dark_logo,
    color: sent.color,
    darkColor: sent.dark_color
  })

/** The attributes that a caller sent of a connected app. */
export const appInput = (sent: ConnectedAppPayload): ConnectedAppInput =>
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
    appearance:
      sent.appearance === undefined || sent.appearance === null ? sent.appearance : appearanceIn(sent.appearance)
  })
