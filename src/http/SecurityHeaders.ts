import { Context, Layer } from "effect"

type Headers = Readonly<Record<string, string>>

const always: Headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/**
 * The headers of every response, including errors (SEC-38). If the public URL uses https, browsers must use https for a year
 * (SEC-100). Subdomains are excluded, because they may belong to someone else.
 */
export const securityHeadersFor = (publicUrl: string): Headers =>
  new URL(publicUrl).protocol === "https:" ? { ...always, "strict-transport-security": "max-age=31536000" } : always

/** The security headers of this service. */
export class SecurityHeaders extends Context.Service<SecurityHeaders, Headers>()("sallyport/http/SecurityHeaders") {
  static readonly layer = ({ publicUrl }: { readonly publicUrl: string }) =>
    Layer.succeed(SecurityHeaders, securityHeadersFor(publicUrl))
}
