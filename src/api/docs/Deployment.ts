/** The parts of the OpenAPI document that differ between deployments. */
export interface Deployment {
  readonly version: string
  /** The names of the headers, which depend on the deployment's prefix. */
  readonly headers: { readonly apiKey: string; readonly realm: string; readonly ignored: string }
  /** The origin of connected apps' hosted login pages, containing `{subdomain}`. */
  readonly loginUrl: string
  /** The path of the public URL, if it has one. */
  readonly path?: string
}
