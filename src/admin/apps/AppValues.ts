import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { nonBlankLines, orNull } from "../calls/Changes.ts"

/** An app's settings as form values. */
export const valuesOf = (app: ConnectedApp) => ({
  name: app.name,
  subdomain: app.subdomain ?? "",
  state: app.state,
  login_handler: app.login_handler ?? "",
  signup_handler: app.signup_handler ?? "",
  redirect_uris: app.redirect_uris,
  logout_uris: app.logout_uris,
  signup_mode: app.signup_mode,
  require_names: app.require_names,
  require_org_name: app.require_org_name,
  require_password_confirmation: app.require_password_confirmation,
  allow_invitations: app.allow_invitations,
  invitation_permissions: app.invitation_permissions,
  auto_continue: app.auto_continue,
  allow_jsonp: app.allow_jsonp
})

export type AppValues = ReturnType<typeof valuesOf>

/** Converts changed form values to the input of an update. */
export const inputOf = ({ login_handler, signup_handler, ...changed }: Partial<AppValues>) => {
  const { redirect_uris, logout_uris, invitation_permissions } = changed
  return {
    ...changed,
    ...(login_handler === undefined ? {} : { login_handler: orNull(login_handler) }),
    ...(signup_handler === undefined ? {} : { signup_handler: orNull(signup_handler) }),
    ...(redirect_uris === undefined ? {} : { redirect_uris: nonBlankLines(redirect_uris) }),
    ...(logout_uris === undefined ? {} : { logout_uris: nonBlankLines(logout_uris) }),
    ...(invitation_permissions === undefined ? {} : { invitation_permissions: nonBlankLines(invitation_permissions) })
  }
}
