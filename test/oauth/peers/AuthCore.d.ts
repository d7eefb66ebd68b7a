/** The parts of Auth.js used in tests. Its own types pull in DOM types (see `paths` in `tsconfig.json`). */
export const customFetch: unique symbol
export const skipCSRFCheck: unique symbol

interface OidcProvider {
  readonly id: string
  readonly name: string
  readonly type: "oidc"
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly [customFetch]: (address: string | URL, init?: RequestInit) => Promise<Response>
}

interface AuthConfig {
  readonly basePath: string
  readonly secret: string
  readonly trustHost: boolean
  readonly skipCSRFCheck: typeof skipCSRFCheck
  readonly logger: { readonly error: (error: Error) => void }
  readonly providers: ReadonlyArray<OidcProvider>
}

export const Auth: (request: Request, config: AuthConfig) => Promise<Response>
