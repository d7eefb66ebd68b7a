import { type AppearanceInput, appearanceProblems, applyAppearance, defaultAppearance } from "./Appearance.ts"
import { type ConnectedApp, MAX_MARKUP_LENGTH, MAX_REDIRECT_URIS } from "./ConnectedApp.ts"
import type { Version } from "./Event.ts"
import { parsePermissions, permissionsProblem } from "./Permission.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonicalSubdomain, subdomainProblem } from "./Subdomain.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { pageUrlProblem, redirectUriProblem, URL_LENGTH } from "./WebUrl.ts"

/** The settings a caller can send for a connected app. Null clears a setting or restores its default. */
export interface ConnectedAppInput {
  readonly state?: ConnectedApp["state"]
  readonly name?: string | null
  readonly subdomain?: string | null
  readonly header?: string | null
  readonly footer?: string | null
  readonly externalCss?: string | null
  readonly loginHandler?: string | null
  readonly signupHandler?: string | null
  readonly redirectUris?: ReadonlyArray<string> | null
  readonly logoutUris?: ReadonlyArray<string> | null
  readonly signupMode?: ConnectedApp["signupMode"] | null
  readonly requirePasswordConfirmation?: boolean | null
  readonly requireNames?: boolean | null
  readonly requireOrgName?: boolean | null
  readonly allowJsonp?: boolean | null
  readonly autoContinue?: boolean | null
  readonly allowInvitations?: boolean | null
  readonly invitationPermissions?: ReadonlyArray<string> | null
  readonly appearance?: AppearanceInput | null
}

/** The default settings of an app (C41). */
export const defaultAppSettings = {
  state: "active",
  name: "",
  clientType: "standard",
  subdomain: "",
  header: null,
  footer: null,
  externalCss: null,
  loginHandler: null,
  signupHandler: null,
  redirectUris: [],
  logoutUris: [],
  signupMode: "user",
  requirePasswordConfirmation: false,
  requireNames: false,
  requireOrgName: false,
  allowJsonp: true,
  autoContinue: true,
  allowInvitations: true,
  invitationPermissions: [],
  appearance: defaultAppearance
} as const satisfies Partial<ConnectedApp>

type TextInput = string | null | undefined

const optionalText = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : (nonBlank(input)?.trim() ?? null)

/** Not trimmed: whitespace in HTML is significant. */
const markup = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : nonBlank(input)

const setting = <A>(input: A | null | undefined, before: A, otherwise: A): A =>
  input === undefined ? before : (input ?? otherwise)

/** Treats different spellings of the same URL as one. */
const uniqueUris = (
  input: ReadonlyArray<string> | null | undefined,
  before: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (input === undefined) return before
  const uris = new Map<string, string>()
  for (const uri of (input ?? []).map((text) => text.trim())) {
    const same = URL.parse(uri)?.href ?? uri
    if (!uris.has(same)) uris.set(same, uri)
  }
  return [...uris.values()]
}

/** Applies a caller's settings to an app, except for new logos. A blank subdomain keeps the current one. */
export const applyAppInput = (before: ConnectedApp, input: ConnectedAppInput): ConnectedApp => ({
  ...before,
  state: input.state ?? before.state,
  name: input.name === undefined ? before.name : (input.name ?? "").trim(),
  subdomain: canonicalSubdomain(input.subdomain ?? "") || before.subdomain,
  header: markup(input.header, before.header),
  footer: markup(input.footer, before.footer),
  externalCss: optionalText(input.externalCss, before.externalCss),
  loginHandler: optionalText(input.loginHandler, before.loginHandler),
  signupHandler: optionalText(input.signupHandler, before.signupHandler),
  redirectUris: uniqueUris(input.redirectUris, before.redirectUris),
  logoutUris: uniqueUris(input.logoutUris, before.logoutUris),
  signupMode: setting(input.signupMode, before.signupMode, defaultAppSettings.signupMode),
  requirePasswordConfirmation: setting(input.requirePasswordConfirmation, before.requirePasswordConfirmation, false),
  requireNames: setting(input.requireNames, before.requireNames, false),
  requireOrgName: setting(input.requireOrgName, before.requireOrgName, false),
  allowJsonp: setting(input.allowJsonp, before.allowJsonp, true),
  autoContinue: setting(input.autoContinue, before.autoContinue, true),
  allowInvitations: setting(input.allowInvitations, before.allowInvitations, true),
  invitationPermissions: parsePermissions(setting(input.invitationPermissions, before.invitationPermissions, [])),
  appearance: applyAppearance(before.appearance, input.appearance)
})

const textProblems = (field: string, text: string | null, maximum: number): ReadonlyArray<Problem> => {
  if (text === null) return []
  if (!isStorable(text)) return [problem(field, "invalid")]
  return isWithin(maximum, text) ? [] : [problem(field, "too_long", { maximum })]
}

type UrlRule = (url: string) => string | undefined

const urlProblems = (field: string, url: string | null, rule: UrlRule): ReadonlyArray<Problem> => {
  const found = textProblems(field, url, URL_LENGTH)
  const code = url === null || found.length > 0 ? undefined : rule(url)
  return code === undefined ? found : [problem(field, code)]
}

const redirectProblems = (field: string, uris: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  if (uris.length > MAX_REDIRECT_URIS) return [problem(field, "too_many", { most: MAX_REDIRECT_URIS })]
  return uris.flatMap((uri) => urlProblems(field, uri, redirectUriProblem)).slice(0, 1)
}

/** These permissions must not make invitees owners or admins of an org (C125). */
const invitationPermissionProblems = (tags: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const isReserved = tags.some((tag) => tag.toLowerCase().startsWith("ar:"))
  const code = isReserved ? "permission_of_admins" : permissionsProblem(tags)
  return code === undefined ? [] : [problem("invitation_permissions", code)]
}

const subdomainProblems = (subdomain: string): ReadonlyArray<Problem> => {
  // An empty subdomain will be derived from the name.
  const code = subdomain === "" ? undefined : subdomainProblem(subdomain)
  return code === undefined ? [] : [problem("subdomain", code)]
}

/**
 * Returns whether a v1 call would leave an app without a login handler. v1 requires one to create an app and does not allow
 * removing it.
 */
const lacksHandler = (before: ConnectedApp | undefined, after: ConnectedApp, version: Version): boolean =>
  version === "v1" && after.loginHandler === null && before?.loginHandler !== null

/** Validates an app after a caller's settings were applied, and returns every broken rule. `before` is undefined for a new app. */
export const appProblems = (
  before: ConnectedApp | undefined,
  after: ConnectedApp,
  version: Version
): ReadonlyArray<Problem> => [
  ...(after.name === "" ? [problem("name", "blank")] : textProblems("name", after.name, TEXT_LENGTH)),
  ...subdomainProblems(after.subdomain),
  ...textProblems("header", after.header, MAX_MARKUP_LENGTH),
  ...textProblems("footer", after.footer, MAX_MARKUP_LENGTH),
  ...urlProblems("external_css", after.externalCss, pageUrlProblem),
  ...(lacksHandler(before, after, version) ? [problem("login_handler", "blank")] : []),
  ...urlProblems("login_handler", after.loginHandler, pageUrlProblem),
  ...urlProblems("signup_handler", after.signupHandler, pageUrlProblem),
  ...redirectProblems("redirect_uris", after.redirectUris),
  ...redirectProblems("logout_uris", after.logoutUris),
  ...invitationPermissionProblems(after.invitationPermissions),
  ...appearanceProblems(after.appearance)
]
