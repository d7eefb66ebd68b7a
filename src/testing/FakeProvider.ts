import { hash } from "node:crypto"
import type { CreateAuthProvider } from "#client/Client"
import type { Preset } from "#core/external/providers/Preset"
import type { ExternalType } from "#domain/AuthProvider"
import type { OutboundRequest, OutboundResponse } from "#platform/Outbound"
import { callerError, inspectInline } from "./CallerError.ts"
import { publishedKeys, signIdToken } from "./ProviderKeys.ts"

/** The user who logs in at a fake provider. */
export interface Person {
  /** The user's ID at the provider. By default, it is derived from the email, so that the same email is the same user. */
  readonly id?: string
  /** The email, or null if the provider doesn't share it. Default: `person@example.com`. */
  readonly email?: string | null
  /** Whether the provider has verified the email. Default: true. Facebook never reports it, regardless of this setting. */
  readonly email_verified?: boolean
  /** The full name. Default: none. */
  readonly name?: string
}

/**
 * How a login at a fake provider fails. `cancelled`: the browser returns with `access_denied`. `code`: the token endpoint
 * rejects the code. `token`, `profile`: the token or profile endpoint responds with 500. `nonce`: the ID token has the nonce
 * of another request. `signature`: the ID token is signed with an unknown key. `nonce` and `signature` are only for providers
 * with ID tokens.
 */
export type ProviderFailure = (typeof failures)[number]

const failures = ["cancelled", "code", "token", "profile", "nonce", "signature"] as const

/** A fake provider for social login. All of its requests stay within the process. */
export interface FakeProvider {
  /** The type, such as `google` or `github`. */
  readonly type: ExternalType
  /** The members of `auth_provider` for setting up the provider in a realm with `POST /v2/auth_providers`. */
  readonly settings: CreateAuthProvider
  /** Sets the user who logs in from now on, in every realm. */
  person(person: Person): void
  /** Makes the next login fail. Later logins succeed again. */
  failNext(failure: ProviderFailure): void
  /**
   * Returns an access token of the user, as the provider's own SDK would return it to an app. `clientId` defaults to the client ID
   * in `settings`.
   */
  accessToken(clientId?: string): string
}

/** A login in progress at a provider: its user, and the service's request. */
interface PendingLogin {
  readonly person: Required<Person>
  readonly failure: ProviderFailure | undefined
  readonly query: URLSearchParams
}

const json = (status: number, body: unknown): OutboundResponse => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body)
})

const filled = ({ email = "person@example.com", email_verified = true, name = "", id }: Person): Required<Person> => ({
  id: id ?? String(Number.parseInt(hash("sha256", email ?? name).slice(0, 12), 16)),
  email,
  email_verified,
  name
})

/** A user's profile, with the member names of all providers. The service reads the names of the provider's type. */
const profileOf = ({ id, email, email_verified, name }: Required<Person>) => {
  const [first = null, ...rest] = name.split(" ").filter((part) => part !== "")
  const last = rest.length === 0 ? null : rest.join(" ")
  const names = { name: name || null, given_name: first, family_name: last, first_name: first, last_name: last }
  return { ok: true, id, sub: id, email, email_verified, ...names }
}

/** The user's emails, as listed by GitHub. */
const mailsOf = ({ email, email_verified }: Required<Person>) => [{ email, verified: email_verified, primary: true }]

/** Returns whether a URL matches an endpoint. GitHub's URL template contains the client ID. */
const isAt = (endpoint: string | undefined, url: URL): boolean => {
  const [before = "", after] = (endpoint ?? "").split("{client_id}")
  const { origin, pathname } = URL.parse(before) ?? {}
  if (origin !== url.origin || pathname === undefined) return false
  return after === undefined
    ? url.pathname === pathname
    : url.pathname.startsWith(pathname) && url.pathname.endsWith(after)
}

/** Returns the parameters in the form or JSON body of a request and in its query. */
const parametersOf = ({ body = "" }: OutboundRequest, url: URL): URLSearchParams => {
  const parameters = new URLSearchParams(url.search)
  const sent = body.startsWith("{") ? Object.entries(JSON.parse(body)) : new URLSearchParams(body)
  for (const [name, value] of sent) parameters.set(name, String(value))
  return parameters
}

let count = 0

/** A fake provider of one type. It responds to browsers that are redirected to it and to the service's requests. */
export class FakeProviderServer implements FakeProvider {
  readonly type: ExternalType
  readonly settings: CreateAuthProvider
  readonly #preset: Pick<Preset, "endpoints" | "idTokens">
  readonly #time: () => number
  #person = filled({})
  #failure: ProviderFailure | undefined
  readonly #codes = new Map<string, PendingLogin>()
  readonly #tokens = new Map<string, PendingLogin>()

  /** `time` returns the service's time in Unix milliseconds. */
  constructor(
    type: ExternalType,
    preset: Pick<Preset, "endpoints" | "idTokens">,
    settings: CreateAuthProvider,
    time: () => number
  ) {
    this.type = type
    this.settings = settings
    this.#preset = preset
    this.#time = time
  }

  person(person: Person): void {
    this.#person = filled(person)
  }

  failNext(failure: ProviderFailure): void {
    if (!failures.includes(failure)) {
      throw callerError(
        `Not a failure of a provider: ${inspectInline(failure)}. Use one of ${failures.join(", ")}.`,
        this.failNext
      )
    }
    this.#failure = failure
  }

  accessToken(clientId: string = this.settings.client_id ?? ""): string {
    const query = new URLSearchParams({ client_id: clientId })
    return this.#issue({ person: this.#person, failure: this.#takeFailure(), query })
  }

  /** Returns whether a URL is the provider's login page. */
  isAt(url: URL): boolean {
    return isAt(this.#preset.endpoints.authorization, url)
  }

  /** Returns the URL that an authorization request redirects back to, or undefined if the request names none. */
  authorize(url: URL): string | undefined {
    const callback = URL.parse(url.searchParams.get("redirect_uri") ?? "")
    if (callback === null) return undefined
    const failure = this.#takeFailure()
    if (failure === "cancelled") {
      callback.searchParams.set("error", "access_denied")
    } else {
      const code = `code-${++count}`
      this.#codes.set(code, { person: this.#person, failure, query: url.searchParams })
      callback.searchParams.set("code", code)
    }
    callback.searchParams.set("state", url.searchParams.get("state") ?? "")
    return callback.href
  }

  /** Returns the response to a request of the service, or undefined if the request is not for this provider. */
  answer(request: OutboundRequest): Promise<OutboundResponse> | undefined {
    const url = new URL(request.url)
    const { token, profile, emails, inspection, keys } = this.#preset.endpoints
    if (isAt(token, url)) return this.#exchange(parametersOf(request, url))
    if (isAt(profile, url)) return this.#tell(request, profileOf)
    if (isAt(emails, url)) return this.#tell(request, mailsOf)
    if (isAt(inspection, url)) return this.#inspect(parametersOf(request, url))
    return isAt(keys, url) ? publishedKeys().then((published) => json(200, published)) : undefined
  }

  #takeFailure(): ProviderFailure | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  #issue(login: PendingLogin): string {
    const token = `token-${++count}`
    this.#tokens.set(token, login)
    return token
  }

  /** Exchanges a code, once. The redirect URI must be the same, and the code verifier must match. */
  async #exchange(sent: URLSearchParams): Promise<OutboundResponse> {
    const code = sent.get("code") ?? ""
    const login = this.#codes.get(code)
    this.#codes.delete(code)
    if (login?.failure === "token") return json(500, { error: "server_error" })
    const challenge = login?.query.get("code_challenge")
    const isProven = !challenge || hash("sha256", sent.get("code_verifier") ?? "", "base64url") === challenge
    const isSame = sent.get("redirect_uri") === login?.query.get("redirect_uri")
    if (login === undefined || login.failure === "code" || !isProven || !isSame)
      return json(400, { error: "invalid_grant" })
    const id_token = await this.#idToken(login)
    const token = { access_token: this.#issue(login), token_type: "Bearer", expires_in: 3_600, ok: true }
    return json(200, id_token === undefined ? token : { ...token, id_token })
  }

  async #idToken({ person, failure, query }: PendingLogin): Promise<string | undefined> {
    const { issuer, nonce } = this.#preset.idTokens ?? {}
    if (issuer === undefined) return undefined
    const iat = Math.floor(this.#time() / 1_000)
    const repeated = failure === "nonce" ? "the-nonce-of-another-login" : query.get("nonce")
    const claims = { iss: issuer, aud: query.get("client_id") ?? "", sub: person.id, iat, exp: iat + 3_600 }
    return signIdToken(nonce && repeated !== null ? { ...claims, nonce: repeated } : claims, failure === "signature")
  }

  async #tell({ headers }: OutboundRequest, about: (person: Required<Person>) => unknown): Promise<OutboundResponse> {
    const login = this.#tokens.get((headers["authorization"] ?? "").replace(/^Bearer /, ""))
    if (login === undefined) return json(401, { error: "invalid_token" })
    return login.failure === "profile" ? json(500, { error: "server_error" }) : json(200, about(login.person))
  }

  /** Returns the client that an access token was issued to, in the formats of all providers. */
  async #inspect(sent: URLSearchParams): Promise<OutboundResponse> {
    const found = this.#tokens.get(sent.get("input_token") ?? sent.get("token") ?? sent.get("access_token") ?? "")
    if (found === undefined) return json(400, { active: false, data: { is_valid: false } })
    const id = found.query.get("client_id")
    return json(200, {
      active: true,
      client_id: id,
      aud: id,
      app: { client_id: id },
      data: { is_valid: true, app_id: id }
    })
  }
}
