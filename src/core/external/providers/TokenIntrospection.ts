import type { OutboundRequest } from "#platform/Outbound"
import { type Inspection, type ProviderClient } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"

const json = { accept: "application/json" }

/** We, by HTTP Basic (RFC 6749 §2.3.1). */
export const basic = ({ provider, secret }: ProviderClient): string => {
  const encoded = [provider.clientId, secret].map(encodeURIComponent).join(":")
  return `Basic ${Buffer.from(encoded).toString("base64")}`
}

/** A question by GET, with parameters. */
export const asking = (endpoint: string, parameters: Readonly<Record<string, string>>): OutboundRequest => {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { method: "GET", url: url.href, headers: json, body: undefined }
}

/** A question by a form. */
export const posting = (
  endpoint: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
): OutboundRequest => ({
  method: "POST",
  url: endpoint,
  headers: { ...json, "content-type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(form).toString()
})

/** Token introspection (RFC 7662): of a token that is good, and ours. */
export const isOursByIntrospection: Inspection["isOurs"] = (answer, clientId) =>
  memberAt(answer, "active") === true && memberAt(answer, "client_id") === clientId
