import { hash } from "node:crypto"
import type { CreateAuthProvider } from "#client/Client"
import type { Preset } from "#core/external/providers/Preset"
import type { ExternalType } from "#domain/AuthProvider"
import type { OutboundRequest, OutboundResponse } from "#platform/Outbound"
import { callerError, inspectInline } from "./CallerError.ts"
import {
  claimsOf,
  filled,
  isAt,
  json,
  mailsOf,
  type Person,
  parametersOf,
  postingPage,
  profileOf,
  type ReturnOfBrowser,
  TENANT,
  tenantAt
} from "./FakeResponses.ts"
import { publishedKeys, signIdToken } from "./ProviderKeys.ts"

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
  readonly tenant: string
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
  readonly #knownToApp = new Set<string>()
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
    return this.#issue({ person: this.#person, failure: this.#takeFailure(), query, tenant: TENANT })
  }

  /** Returns whether a URL is the provider's login page. */
  isAt(url: URL): boolean {
    return isAt(this.#preset.endpoints.authorization, url)
  }

  /** Returns the browser of an authorization request, or undefined if the request doesn't say where to. */
  authorize(url: URL): ReturnOfBrowser | undefined {
    const callback = URL.parse(url.searchParams.get("redirect_uri") ?? "")
    if (callback === null) return undefined
    const failure = this.#takeFailure()
    const sent = new URLSearchParams({ state: url.searchParams.get("state") ?? "" })
    if (failure === "cancelled") {
      sent.set("error", "access_denied")
    } else {
      const code = `code-${++count}`
      this.#codes.set(code, { person: this.#person, failure, query: url.searchParams, tenant: tenantAt(url) })
      sent.set("code", code)
      if (this.type === "apple") this.#sendName(sent)
    }
    if (url.searchParams.get("response_mode") === "form_post") return { page: postingPage(callback.href, sent) }
    for (const [name, value] of sent) callback.searchParams.set(name, value)
    return { location: callback.href }
  }

  /** Adds the name with a person's first login, as Apple does. */
  #sendName(sent: URLSearchParams): void {
    const { id, email, name } = this.#person
    if (this.#knownToApp.has(id) || name === "") return
    this.#knownToApp.add(id)
    const [firstName, ...rest] = name.split(" ")
    sent.set("user", JSON.stringify({ name: { firstName, lastName: rest.join(" ") }, email }))
  }

  /** Returns the response to a request of the service, or undefined if the request is not for this provider. */
  answer(request: OutboundRequest): Promise<OutboundResponse> | undefined {
    const url = new URL(request.url)
    const { token, profile, emails, inspection, keys } = this.#preset.endpoints
    const { issuer } = this.#preset.idTokens ?? {}
    if (this.type === "oidc" && url.href === `${issuer}/.well-known/openid-configuration`)
      return Promise.resolve(json(200, this.#discovery()))
    if (isAt(token, url)) return this.#exchange(parametersOf(request, url))
    if (isAt(profile, url)) return this.#tell(request, profileOf)
    if (isAt(emails, url)) return this.#tell(request, mailsOf)
    if (isAt(inspection, url)) return this.#inspect(parametersOf(request, url))
    return isAt(keys, url) ? publishedKeys().then((published) => json(200, published)) : undefined
  }

  #discovery() {
    const { authorization, token, profile, keys } = this.#preset.endpoints
    return {
      issuer: this.#preset.idTokens?.issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      userinfo_endpoint: profile,
      jwks_uri: keys
    }
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
    const access_token = this.#issue(login)
    const id_token = await this.#idToken(login, access_token)
    const token = { access_token, token_type: "Bearer", expires_in: 3_600, ok: true }
    return json(200, id_token === undefined ? token : { ...token, id_token })
  }

  async #idToken(
    { person, failure, query, tenant: tid }: PendingLogin,
    accessToken: string
  ): Promise<string | undefined> {
    const { issuer, nonce, containsProfile } = this.#preset.idTokens ?? {}
    if (typeof issuer !== "string") return undefined
    const iat = Math.floor(this.#time() / 1_000)
    const repeated = failure === "nonce" ? "the-nonce-of-another-login" : query.get("nonce")
    const profile = containsProfile
      ? { ...claimsOf(this.type, person), at_hash: hash("sha256", accessToken, "buffer").toString("base64url", 0, 16) }
      : {}
    const tenant = this.type === "microsoft" ? { tid } : {}
    const claims = {
      ...profile,
      ...tenant,
      iss: issuer.replace("{tenantid}", tid),
      aud: query.get("client_id") ?? "",
      sub: person.id,
      iat,
      exp: iat + 3_600
    }
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
