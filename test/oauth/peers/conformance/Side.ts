import type { Transport } from "#testing/Transport"
import type { Person } from "../Person.ts"

/** A client of a provider under comparison. */
export interface SideClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
  readonly postLogoutRedirectUri: string
}

/** One of two providers that get the same requests. */
export interface Side {
  readonly issuer: string
  readonly transport: Transport
  /** The provider's published metadata. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Clients that need no PKCE: `basic` and `other` authenticate in the header, `post` in the body. */
  readonly clients: { readonly basic: SideClient; readonly post: SideClient; readonly other: SideClient }
  /** A person with a new browser. */
  readonly person: () => Person
  /** Parameters added to every authorization request. */
  readonly always: Readonly<Record<string, string>>
  /** Moves the test clock forward. */
  readonly wait: (seconds: number) => Promise<void>
  /** Takes the logout tokens sent to clients since the last call. */
  readonly logoutTokens: () => Promise<ReadonlyArray<string>>
}

export const REDIRECT_URI = "https://app.example.test/back"
export const POST_LOGOUT_REDIRECT_URI = "https://app.example.test/bye"
export const BACKCHANNEL_URI = "https://app.example.test/logout-token"

/** The published metadata of a provider. */
export const metadataOf = async (issuer: string, transport: Transport): Promise<Side["metadata"]> => {
  const { pathname, host } = new URL(issuer)
  const path = `${pathname.replace(/\/$/, "")}/.well-known/openid-configuration`
  return JSON.parse((await transport.send({ method: "GET", path, headers: { host } })).text)
}
