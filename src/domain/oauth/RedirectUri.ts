import type { OAuthClient } from "../clients/OAuthClient.ts"

/** A redirect URI of a program on a device that listens on a port of its own (RFC 8252 §7.3), which many call localhost (C271). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/[^#]*)?$/

const withoutPort = (uri: string): string | undefined => {
  const [, host, rest = ""] = LOOPBACK.exec(uri) ?? []
  return host === undefined ? undefined : host + rest
}

/**
 * Whether a client has registered a redirect URI: as exact text, never by prefix or similarity (RFC 9700 §2.1). The port of a
 * loopback address of a native client doesn't count.
 */
export const isRedirectUri = (
  { clientType, redirectUris }: Pick<OAuthClient, "clientType" | "redirectUris">,
  uri: string
): boolean => {
  if (redirectUris.includes(uri)) return true
  const requested = clientType === "native" ? withoutPort(uri) : undefined
  return requested !== undefined && redirectUris.some((one) => withoutPort(one) === requested)
}

/** Whether nobody can tell which program of a device receives what is sent there: by a scheme of its own, or by a port. */
export const isUnverifiable = ({
  client,
  redirectUri
}: {
  readonly client: Pick<OAuthClient, "clientType">
  readonly redirectUri: string
}): boolean => client.clientType === "native" && !redirectUri.startsWith("https:")

/**
 * Where a redirect URI leads, for people: the host of a website, or the scheme of a program. What stands for a host after a
 * program's scheme is the program's choice, and would pass for a website (SEC-214).
 */
export const placeOf = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null) return uri
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1)
}
