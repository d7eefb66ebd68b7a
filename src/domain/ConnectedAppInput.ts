import { type ConnectedApp, MARKUP_LENGTH, MOST_REDIRECT_URIS } from "./ConnectedApp.ts"
import type { Version } from "./Event.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonicalSubdomain, subdomainProblem } from "./Subdomain.ts"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import { pageUrlProblem, redirectUriProblem, URL_LENGTH } from "./WebUrl.ts"

/** The settings of a connected app as a caller typed them. Null is none, or what it is without anybody's saying. */
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
  readonly signupMode?: ConnectedApp["signupMode"] | null
  readonly requirePasswordConfirmation?: boolean | null
  readonly requireNames?: boolean | null
  readonly requireOrgName?: boolean | null
  readonly allowJsonp?: boolean | null
}

/** The settings of an app of which nothing has been said yet (decision 41). */
export const blankApp = {
  state: "active",
  name: "",
  subdomain: "",
  header: null,
  footer: null,
  externalCss: null,
  loginHandler: null,
  signupHandler: null,
  redirectUris: [],
  signupMode: "user",
  requirePasswordConfirmation: false,
  requireNames: false,
  requireOrgName: false,
  allowJsonp: true
} as const satisfies Partial<ConnectedApp>

type Typed = string | null | undefined

const optional = (typed: Typed, before: string | null): string | null =>
  typed === undefined ? before : (presence(typed)?.trim() ?? null)

/** As it was typed: the blanks of HTML mean something. */
const markup = (typed: Typed, before: string | null): string | null => (typed === undefined ? before : presence(typed))

const setting = <A>(typed: A | null | undefined, before: A, otherwise: A): A =>
  typed === undefined ? before : (typed ?? otherwise)

/** The same URL counts once, however it is written. */
const urisOf = (typed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const uris = new Map<string, string>()
  for (const uri of typed.map((text) => text.trim())) {
    const same = URL.parse(uri)?.href ?? uri
    if (!uris.has(same)) uris.set(same, uri)
  }
  return [...uris.values()]
}

/** An app with what was typed of it. A blank subdomain leaves the one it has. */
export const appWith = (before: ConnectedApp, typed: ConnectedAppInput): ConnectedApp => ({
  ...before,
  state: typed.state ?? before.state,
  name: typed.name === undefined ? before.name : (typed.name ?? "").trim(),
  subdomain: canonicalSubdomain(typed.subdomain ?? "") || before.subdomain,
  header: markup(typed.header, before.header),
  footer: markup(typed.footer, before.footer),
  externalCss: optional(typed.externalCss, before.externalCss),
  loginHandler: optional(typed.loginHandler, before.loginHandler),
  signupHandler: optional(typed.signupHandler, before.signupHandler),
  redirectUris: typed.redirectUris === undefined ? before.redirectUris : urisOf(typed.redirectUris ?? []),
  signupMode: setting(typed.signupMode, before.signupMode, blankApp.signupMode),
  requirePasswordConfirmation: setting(typed.requirePasswordConfirmation, before.requirePasswordConfirmation, false),
  requireNames: setting(typed.requireNames, before.requireNames, false),
  requireOrgName: setting(typed.requireOrgName, before.requireOrgName, false),
  allowJsonp: setting(typed.allowJsonp, before.allowJsonp, true)
})

const textProblems = (field: string, text: string | null, maximum: number): ReadonlyArray<Problem> => {
  if (text === null) return []
  if (!isStorable(text)) return [problem(field, "invalid")]
  return isWithin(maximum, text) ? [] : [problem(field, "too_long", { maximum })]
}

type UrlRule = (url: string) => string | undefined

const urlProblems = (field: string, url: string | null, rule: UrlRule): ReadonlyArray<Problem> => {
  const found = textProblems(field, url, URL_LENGTH)
  const wrong = url === null || found.length > 0 ? undefined : rule(url)
  return wrong === undefined ? found : [problem(field, wrong)]
}

const redirectProblems = (uris: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  if (uris.length > MOST_REDIRECT_URIS) return [problem("redirect_uris", "too_many", { most: MOST_REDIRECT_URIS })]
  return uris.flatMap((uri) => urlProblems("redirect_uris", uri, redirectUriProblem)).slice(0, 1)
}

const subdomainProblems = (subdomain: string): ReadonlyArray<Problem> => {
  // None was given: one is made of the name.
  const code = subdomain === "" ? undefined : subdomainProblem(subdomain)
  return code === undefined ? [] : [problem("subdomain", code)]
}

/** Under `/v1` an app needs a login handler: one cannot be made without, nor can it be taken away. */
const lacksHandler = (before: ConnectedApp | undefined, after: ConnectedApp, version: Version): boolean =>
  version === "v1" && after.loginHandler === null && before?.loginHandler !== null

/** Every rule that an app as it would be breaks. `before`: none when it is a new one. */
export const appProblems = (
  before: ConnectedApp | undefined,
  after: ConnectedApp,
  version: Version
): ReadonlyArray<Problem> => [
  ...(after.name === "" ? [problem("name", "blank")] : textProblems("name", after.name, TEXT_LENGTH)),
  ...subdomainProblems(after.subdomain),
  ...textProblems("header", after.header, MARKUP_LENGTH),
  ...textProblems("footer", after.footer, MARKUP_LENGTH),
  ...urlProblems("external_css", after.externalCss, pageUrlProblem),
  ...(lacksHandler(before, after, version) ? [problem("login_handler", "blank")] : []),
  ...urlProblems("login_handler", after.loginHandler, pageUrlProblem),
  ...urlProblems("signup_handler", after.signupHandler, pageUrlProblem),
  ...redirectProblems(after.redirectUris)
]
