import { hash } from "node:crypto"
import type { ExternalType } from "#domain/AuthProvider"
import type { OutboundRequest, OutboundResponse } from "#platform/Outbound"

/** The user who logs in at a fake provider. */
export interface Person {
  /** The user's ID at the provider. By default, it is derived from the email, so that the same email is the same user. */
  readonly id?: string
  /** The email, or null if the provider doesn't share it. Default: `person@example.com`. */
  readonly email?: string | null
  /** Whether the provider has verified the email. Default: true. Facebook never reports it, regardless of this setting. */
  readonly email_verified?: boolean
  /** The full name. Apple sends it with the user's first login only. Default: none. */
  readonly name?: string
}

export const json = (status: number, body: unknown): OutboundResponse => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body)
})

export const filled = ({
  email = "person@example.com",
  email_verified = true,
  name = "",
  id
}: Person): Required<Person> => ({
  id: id ?? String(Number.parseInt(hash("sha256", email ?? name).slice(0, 12), 16)),
  email,
  email_verified,
  name
})

/** A user's profile, with the member names of all providers. The service reads the names of the provider's type. */
export const profileOf = ({ id, email, email_verified, name }: Required<Person>) => {
  const [first = null, ...rest] = name.split(" ").filter((part) => part !== "")
  const last = rest.length === 0 ? null : rest.join(" ")
  const names = { name: name || null, given_name: first, family_name: last, first_name: first, last_name: last }
  return { ok: true, id, sub: id, email, email_verified, ...names }
}

/** The user's emails, as listed by GitHub. */
export const mailsOf = ({ email, email_verified }: Required<Person>) => [
  { email, verified: email_verified, primary: true }
]

/** The tenants of Microsoft's accounts: of personal accounts, and of all others. */
export const [PERSONAL_TENANT, TENANT] = [
  "9188040d-6c67-4c5b-b112-36a304b66dad",
  "6f2c1d0e-8a4b-4c3d-9e5f-7a8b9c0d1e2f"
]

/** Returns the tenant of the account that logs in at an authorization endpoint of Microsoft. */
export const tenantAt = ({ pathname }: URL): string => {
  const [, tenant = ""] = pathname.split("/")
  if (tenant === "consumers") return PERSONAL_TENANT
  return /^[\da-f-]{36}$/.test(tenant) ? tenant : TENANT
}

/** The claims about a user in the ID tokens of a provider whose ID tokens contain the profile. */
export const claimsOf = (type: ExternalType, { email, email_verified, name }: Required<Person>) => {
  if (type === "apple") return { email, email_verified: String(email_verified) }
  const named = name === "" ? {} : { name }
  return type === "microsoft" ? { email, xms_edov: email_verified, ...named } : { email, email_verified, ...named }
}

const attribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** The page that returns the browser by a posted form. */
export const postingPage = (action: string, fields: URLSearchParams) => `<!doctype html>
<title>Fake provider</title>
<body onload="document.forms[0].submit()">
<form method="post" action="${attribute(action)}">${[...fields]
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${attribute(value)}">`)
  .join("")}<button>Continue</button></form>`

/** How a fake provider returns a browser: by a redirect, or by a page whose form the browser posts. */
export type ReturnOfBrowser = { readonly location: string } | { readonly page: string }

/** Returns whether a URL matches an endpoint, whose template may contain a client ID or a tenant. */
export const isAt = (endpoint: string | undefined, url: URL): boolean => {
  const [before = "", after] = (endpoint ?? "").split(/\{\w+\}/)
  const { origin, pathname } = URL.parse(before) ?? {}
  if (origin !== url.origin || pathname === undefined) return false
  return after === undefined
    ? url.pathname === pathname
    : url.pathname.startsWith(pathname) && url.pathname.endsWith(after)
}

/** Returns the parameters in the form or JSON body of a request and in its query. */
export const parametersOf = ({ body = "" }: OutboundRequest, url: URL): URLSearchParams => {
  const parameters = new URLSearchParams(url.search)
  const sent = body.startsWith("{") ? Object.entries(JSON.parse(body)) : new URLSearchParams(body)
  for (const [name, value] of sent) parameters.set(name, String(value))
  return parameters
}
