import type { ConnectedApp } from "#domain/ConnectedApp"
import type { AppId, RealmId } from "#domain/Ids"
import { sortKey } from "#domain/Text"
import { type AppearanceColumns, appearanceColumns, appearanceOf } from "../statements/AppearanceColumns.ts"
import { utc } from "../statements/Rows.ts"

/** A row of `login_policies` for an app with hosted pages. */
export interface ConnectedAppRow extends AppearanceColumns {
  readonly id: AppId
  readonly realm_id: RealmId
  readonly state: ConnectedApp["state"]
  readonly name: string
  readonly subdomain: string
  readonly client_type: "standard"
  readonly header: string | null
  readonly footer: string | null
  readonly external_css: string | null
  readonly login_handler: string | null
  readonly signup_handler: string | null
  readonly redirect_uris: ReadonlyArray<string>
  readonly logout_uris: ReadonlyArray<string>
  readonly signup_mode: ConnectedApp["signupMode"]
  readonly require_password_confirmation: boolean
  readonly require_names: boolean
  readonly require_org_name: boolean
  readonly allow_jsonp: boolean
  readonly auto_continue: boolean
  readonly allow_invitations: boolean
  readonly invitation_permissions: ReadonlyArray<string>
  readonly created_at: Date
}

/** Converts a row to an app. */
export const connectedAppOf = (row: ConnectedAppRow): ConnectedApp => ({
  id: row.id,
  realmId: row.realm_id,
  state: row.state,
  name: row.name,
  clientType: row.client_type,
  subdomain: row.subdomain,
  header: row.header,
  footer: row.footer,
  externalCss: row.external_css,
  loginHandler: row.login_handler,
  signupHandler: row.signup_handler,
  redirectUris: row.redirect_uris,
  logoutUris: row.logout_uris,
  signupMode: row.signup_mode,
  requirePasswordConfirmation: row.require_password_confirmation,
  requireNames: row.require_names,
  requireOrgName: row.require_org_name,
  allowJsonp: row.allow_jsonp,
  autoContinue: row.auto_continue,
  allowInvitations: row.allow_invitations,
  invitationPermissions: row.invitation_permissions,
  appearance: appearanceOf(row),
  createdAt: utc(row.created_at)
})

/** The columns for the app's settings. */
export const connectedAppRow = (app: ConnectedApp) => ({
  state: app.state,
  name: app.name,
  sort_name: sortKey(app.name),
  client_type: app.clientType,
  subdomain: app.subdomain,
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
  ...appearanceColumns(app.appearance)
})
