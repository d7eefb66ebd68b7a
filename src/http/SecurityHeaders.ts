import { Context, Layer } from "effect"

type Headers = Readonly<Record<string, string>>

const always: Headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/**
 * On every answer, errors included (SEC-38). Where callers reach the service by https, browsers are told to keep to it for a
 * year (SEC-100): each host for itself, since the names below one need not be ours.
 */
export const safeHeadersOf = (publicUrl: string): Headers =>
  new URL(publicUrl).protocol === "https:" ? { ...always, "strict-transport-security": "max-age=31536000" } : always

/** The same, for whoever answers. */
export class SafeHeaders extends Context.Service<SafeHeaders, Headers>()("sallyport/http/SafeHeaders") {
  static readonly layer = ({ publicUrl }: { readonly publicUrl: string }) =>
    Layer.succeed(SafeHeaders, safeHeadersOf(publicUrl))
}
