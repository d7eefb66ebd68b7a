import type { OAuthClient } from "../clients/OAuthClient.ts"

/** The redirect URI of an app on a device that listens on a local port (RFC 8252 §7.3). Many such apps use `localhost` (C271). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/[^#]*)?$/

const withoutPort = (uri: string): string | undefined => {
  const [, host, rest = ""] = LOOPBACK.exec(uri) ?? []
  return host === undefined ? undefined : host + rest
}

/**
 * Returns whether a client has registered a redirect URI. URIs are compared as exact text, never by prefix or similarity
 * (RFC 9700 §2.1). Only the port in a native client's loopback URI is ignored.
 */
export const isRedirectUri = (
  { clientType, redirectUris }: Pick<OAuthClient, "clientType" | "redirectUris">,
  uri: string
): boolean => {
  if (redirectUris.includes(uri)) return true
  const requested = clientType === "native" ? withoutPort(uri) : undefined
  return requested !== undefined && redirectUris.some((one) => withoutPort(one) === requested)
}

/** Returns whether it is uncertain which program on a device receives the response, as with private schemes and local ports. */
export const isUnverifiable = ({
  client,
  redirectUri
}: {
  readonly client: Pick<OAuthClient, "clientType">
  readonly redirectUri: string
}): boolean => client.clientType === "native" && !redirectUri.startsWith("https:")

/**
 * The target of a redirect URI for display: the host of a website or the scheme of an app. For apps, the host is not shown,
 * because the app could choose one that imitates a website (SEC-214).
 */
export const displayTarget = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null) return uri
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1)
}
