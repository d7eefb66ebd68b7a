import { Context, Layer } from "effect"

/**
 * The subdomain of the app that logs in operators. It can't be in the name of a host, so no other app has it. The app's pages are
 * at the public URL instead, so that the console needs no login domain.
 */
export const CONSOLE_SUBDOMAIN = "_console"

/** The path of the pages on which operators log in. */
export const CONSOLE_PAGES = "/console/auth"

/** The settings for the login domains of a deployment: `<subdomain>.<region>.<loginDomain>` (C40). */
export interface LoginDomainOptions {
  readonly publicUrl: string
  readonly loginDomain: string
  readonly region: string
}

const HOST = /^([a-z\d.-]+?)\.?(?::\d{1,5})?$/

/** Maps the subdomains of connected apps to hosts. */
export class LoginDomains extends Context.Service<
  LoginDomains,
  {
    /** Returns the host of an app, without a port. */
    of(subdomain: string): string
    /**
     * Returns the subdomain in a `Host` header, or undefined if the host does not belong to an app. The port, case and a
     * trailing dot are ignored.
     */
    subdomainIn(host: string): string | undefined
    /** Returns the origin of an app's pages, with the scheme and port of the public URL. It never depends on the `Host` header. */
    origin(subdomain: string): string
    /** Returns the URL of an app's pages, without a page's path: the origin, except for the app that logs in operators. */
    pages(subdomain: string): string
  }
>()("sallyport/platform/LoginDomains") {
  static readonly layer = ({ publicUrl, loginDomain, region }: LoginDomainOptions) => {
    const suffix = `.${region}.${loginDomain}`
    const { protocol, port, hostname, origin: ownOrigin } = new URL(publicUrl)
    const origin = (subdomain: string) =>
      subdomain === CONSOLE_SUBDOMAIN ? ownOrigin : `${protocol}//${subdomain}${suffix}${port === "" ? "" : `:${port}`}`
    return Layer.succeed(
      LoginDomains,
      LoginDomains.of({
        of: (subdomain) => (subdomain === CONSOLE_SUBDOMAIN ? hostname : subdomain + suffix),
        subdomainIn: (host) => {
          const name = HOST.exec(host.toLowerCase())?.[1]
          return name?.endsWith(suffix) === true ? name.slice(0, -suffix.length) : undefined
        },
        origin,
        pages: (subdomain) =>
          subdomain === CONSOLE_SUBDOMAIN ? publicUrl.replace(/\/$/, "") + CONSOLE_PAGES : origin(subdomain)
      })
    )
  }
}
