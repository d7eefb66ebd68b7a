import { logoPath } from "./Appearance.ts"

type Path = `/${string}`

/** A path of hosted login, with parameters as `:name`, and the HTTP methods it accepts. */
export interface HostedPath {
  readonly path: Path
  readonly methods: ReadonlyArray<string>
}

const reads = ["GET", "HEAD"] as const
const forms = ["POST"] as const

/** The pages on the host of a connected app (C40). */
export const appPages = [
  "login",
  "signup",
  "logout",
  "forgot",
  "reset",
  "verify",
  "code",
  "deletion",
  "profile",
  "security",
  "team",
  "passkey",
  "accounts",
  "invitation",
  "authorize",
  "device"
] as const

export type AppPageName = (typeof appPages)[number]

/** The pages that emails link to. A realm without an active app serves them under its own path (C38). */
export const linkPages = [
  "verify",
  "reset",
  "code",
  "deletion",
  "invitation"
] as const satisfies ReadonlyArray<AppPageName>

export type LinkPageName = (typeof linkPages)[number]

/** The pages that a login may return to instead of the app. */
const returnPages = [
  "profile",
  "security",
  "team",
  "passkey",
  "accounts",
  "invitation",
  "authorize",
  "device"
] as const satisfies ReadonlyArray<AppPageName>

export type ReturnPage = (typeof returnPages)[number]

/** The return page with this name, or null for any other string. */
export const returnPageOf = (text: string): ReturnPage | null => returnPages.find((page) => page === text) ?? null

/** The HTTP methods of every page. */
export const pageMethods = [...reads, ...forms] as const

/** The path of a page on the host of an app. */
export const appPagePath = (page: AppPageName): Path => `/${page}`

/** The pages on which operators log in to the console and manage their own accounts (C302). */
export const operatorPages = [
  "login",
  "logout",
  "forgot",
  "reset",
  "verify",
  "profile",
  "security",
  "passkey",
  "invitation"
] as const satisfies ReadonlyArray<AppPageName>

export type OperatorPageName = (typeof operatorPages)[number]

/** The URL of the console, relative to the pages for operators. */
export const CONSOLE_HOME = "../"

/** The path of a page for operators. */
export const operatorPagePath = (page: OperatorPageName): Path => `/console/auth/${page}`

/** The path of an operation of the hosted login API for the scripts of the pages for operators. */
export const operatorApiPath = (path: Path): Path => `/console/auth${path}`

/** The path of a page served by a realm instead of an app. */
export const realmPagePath = (realmId: string, page: LinkPageName): Path => `/realms/${realmId}/${page}`

/** The realm id in the path of a URL, or an empty string for any other path. */
export const realmIdIn = (url: string): string => /^\/realms\/([^/?]*)/.exec(url)?.[1] ?? ""

/** The steps of a login through an external provider, on the host of an app. */
export const socialSteps = {
  start: { suffix: "", methods: reads },
  callback: { suffix: "/callback", methods: pageMethods },
  code: { suffix: "/code", methods: forms },
  join: { suffix: "/join", methods: forms }
} as const

export type SocialStep = keyof typeof socialSteps

/** The path of a social login step. `provider` is a provider's id or type, percent-encoded. */
export const socialPath = (step: SocialStep, provider: string): Path => `/auth/${provider}${socialSteps[step].suffix}`

/** The paths of the social login steps, as router templates. */
export const socialPaths: ReadonlyArray<HostedPath & { readonly step: SocialStep }> = (
  ["start", "callback", "code", "join"] as const
).map((step) => ({ step, path: socialPath(step, ":provider"), methods: socialSteps[step].methods }))

/** All paths of hosted login, as router templates. */
export const hostedPaths: ReadonlyArray<HostedPath> = [
  ...appPages.map((page) => ({ path: appPagePath(page), methods: pageMethods })),
  ...linkPages.map((page) => ({ path: realmPagePath(":realm_id", page), methods: pageMethods })),
  ...operatorPages.map((page) => ({ path: operatorPagePath(page), methods: pageMethods })),
  { path: logoPath(":file"), methods: reads },
  ...socialPaths
]
