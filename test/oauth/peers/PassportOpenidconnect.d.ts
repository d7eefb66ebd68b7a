/** The parts of the strategy used in tests. The package has no types. */
declare module "passport-openidconnect" {
  interface Profile {
    readonly id: string
    readonly displayName?: string
    readonly emails?: ReadonlyArray<{ readonly value: string }>
  }

  interface StrategyOptions {
    readonly issuer: string
    readonly authorizationURL: string
    readonly tokenURL: string
    readonly clientID: string
    readonly clientSecret: string
    readonly callbackURL: string
    readonly scope: string
  }

  type Verified = (error: Error | null, user?: Profile) => void

  export class Strategy {
    constructor(options: StrategyOptions, verify: (issuer: string, profile: Profile, verified: Verified) => void)
    /** The client from the package `oauth`, which sends the token request. */
    readonly _oauth2: {
      _request: (
        method: string,
        url: string,
        headers: Readonly<Record<string, string>> | null,
        body: string | null,
        accessToken: string | null,
        callback: (error: object | null, body?: string, response?: object) => void
      ) => void
    }
    authenticate(request: { readonly query: Readonly<Record<string, string>>; readonly session: object }): void
    /** Set by the host of a strategy. */
    success: (user: Profile) => void
    fail: (problem: unknown, status?: number) => void
    error: (error: Error) => void
    redirect: (url: string) => void
  }
}
