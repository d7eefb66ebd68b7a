import type { OutboundRequest } from "#platform/Outbound"
import { type Inspection, type ProviderClient } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"

const json = { accept: "application/json" }

/** Returns the `Authorization` header for our client, with HTTP Basic (RFC 6749 §2.3.1). */
export const basic = ({ provider, secret }: ProviderClient): string => {
  const encoded = [provider.clientId, secret].map(encodeURIComponent).join(":")
  return `Basic ${Buffer.from(encoded).toString("base64")}`
}

/** Makes a GET request with parameters. */
export const getRequest = (endpoint: string, parameters: Readonly<Record<string, string>>): OutboundRequest => {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { method: "GET", url: url.href, headers: json, body: undefined }
}

/** Makes a POST request with a form. */
export const formRequest = (
  endpoint: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
): OutboundRequest => ({
  method: "POST",
  url: endpoint,
  headers: { ...json, "content-type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(form).toString()
})

/** Returns whether a token introspection response (RFC 7662) shows a valid token that was issued to our client. */
export const isOursByIntrospection: Inspection["isOurs"] = (answer, clientId) =>
  memberAt(answer, "active") === true && memberAt(answer, "client_id") === clientId
