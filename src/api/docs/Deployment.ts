/** What differs between deployments. */
export interface Deployment {
  readonly version: string
  /** The names of the headers, which each deployment chooses. */
  readonly headers: { readonly apiKey: string; readonly realm: string; readonly ignored: string }
  /** The origin of the hosted login of connected apps, with `{subdomain}` in it. */
  readonly loginUrl: string
  /** The path of the public URL; default: none. */
  readonly path?: string
}
