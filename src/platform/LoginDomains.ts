import { Context, Layer } from "effect"

/** Where a deployment has its login domains: below which domain, under which region's name (decision 40). */
export interface LoginDomainOptions {
  readonly publicUrl: string
  readonly loginDomain: string
  readonly region: string
}

const HOST = /^([a-z\d.-]+?)\.?(?::\d{1,5})?$/

/** The domains of connected apps, by their subdomains. */
export class LoginDomains extends Context.Service<
  LoginDomains,
  {
    /** The domain of an app, without a port. */
    of(subdomain: string): string
    /** What a `Host` says of an app's domain: port, case and a trailing dot don't matter; undefined for any other host. */
    subdomainIn(host: string): string | undefined
    /** The address of an app's pages, with the scheme and port that callers reach the service by: never what a `Host` says. */
    origin(subdomain: string): string
  }
>()("sallyport/platform/LoginDomains") {
  static readonly layer = ({ publicUrl, loginDomain, region }: LoginDomainOptions) => {
    const beneath = `.${region}.${loginDomain}`
    const { protocol, port } = new URL(publicUrl)
    return Layer.succeed(
      LoginDomains,
      LoginDomains.of({
        of: (subdomain) => subdomain + beneath,
        subdomainIn: (host) => {
          const name = HOST.exec(host.toLowerCase())?.[1]
          return name?.endsWith(beneath) === true ? name.slice(0, -beneath.length) : undefined
        },
        origin: (subdomain) => `${protocol}//${subdomain}${beneath}${port === "" ? "" : `:${port}`}`
      })
    )
  }
}
