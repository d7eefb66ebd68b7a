/** The settings in the document that differ between deployments. */
export interface Deployment {
  readonly version: string
  /** The names of the headers, which each deployment can choose. */
  readonly headers: { readonly apiKey: string; readonly realm: string; readonly ignored: string }
  /** The origin of the hosted login of connected apps, containing `{subdomain}`. */
  readonly loginUrl: string
  /** The path of the public URL. Default: none. */
  readonly path?: string
}
