import { Clock, Effect, Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { errorText, type Members, type Provider, type ProviderResponse, sendRequest, textIn } from "./Provider.ts"
import type { StoredLogin } from "./TokenFile.ts"

/** The device grant type (RFC 8628 §3.4). */
const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

/** Access tokens are refreshed this many seconds before they expire. */
const REFRESH_BEFORE_SECONDS = 30

/** The default polling interval, and the increase when the provider responds with slow_down, in seconds (RFC 8628 §3.5). */
const INTERVAL = 5

/** The client, scopes and resource servers of a login. */
export interface Wanted {
  readonly issuer: string
  readonly client_id: string
  readonly scope: string
  /** The resource servers for the access token. If empty, the token is only for the issuer. */
  readonly resources: ReadonlyArray<string>
}

/** The command that repeats a login. */
export const loginAgain = ({ issuer, client_id, scope, resources = [] }: StoredLogin): string =>
  [
    `Run sallyport login --issuer ${issuer} --client-id ${client_id}`,
    ...resources.map((resource) => `--resource ${resource}`),
    `--scope "${scope}".`
  ].join(" ")

/** The prompt to show to the user. */
export interface DevicePrompt {
  readonly deviceCode: string
  readonly userCode: string
  readonly url: string
  readonly completeUrl: string | undefined
  readonly interval: number
  readonly expiresIn: number
}

const number = (members: Members, name: string, otherwise: number): number => {
  const value = members[name]
  return typeof value === "number" && value > 0 ? value : otherwise
}

const loginOf = Effect.fnUntraced(function* (
  { resources, ...wanted }: Wanted,
  { body }: ProviderResponse,
  refreshToken: string | null
) {
  const accessToken = textIn(body, "access_token")
  if (accessToken === undefined) return yield* new CommandFailed({ happened: "The provider returned no access token." })
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const login: StoredLogin = {
    ...wanted,
    scope: textIn(body, "scope") ?? wanted.scope,
    ...(resources.length === 0 ? {} : { resources }),
    access_token: accessToken,
    expires_at: seconds + number(body, "expires_in", 300),
    refresh_token: textIn(body, "refresh_token") ?? refreshToken
  }
  return login
})

/** Advice about an OAuth error code (RFC 6749 §5.2). */
const todoOf = (error: string | undefined): string => {
  if (error === "invalid_scope") return "Check --scope: only scopes in the app's allowed_scopes can be requested."
  if (error === "invalid_target") return "Check --resource: tokens can only be issued for the app's resources."
  const requirement =
    "sallyport login requires an app of type device, or of type native with the device code grant type."
  return error === "invalid_client"
    ? `Check --client-id: the app may not exist, or it has a secret, like apps of type web. ${requirement}`
    : `Check --client-id. ${requirement}`
}

/** Requests a device code for the user to enter elsewhere. */
export const requestCode = Effect.fnUntraced(function* (provider: Provider, { client_id, scope, resources }: Wanted) {
  const form = { client_id, scope, resource: resources }
  const answer = yield* sendRequest(provider.device_authorization_endpoint, { form })
  const { status, body } = answer
  const [deviceCode, userCode, url] = ["device_code", "user_code", "verification_uri"].map((name) => textIn(body, name))
  if (status !== 200 || deviceCode === undefined || userCode === undefined || url === undefined) {
    return yield* new CommandFailed({
      happened: `The login was rejected: ${errorText(answer)}`,
      todo: todoOf(textIn(body, "error"))
    })
  }
  const prompt: DevicePrompt = {
    deviceCode,
    userCode,
    url,
    completeUrl: textIn(body, "verification_uri_complete"),
    interval: number(body, "interval", INTERVAL),
    expiresIn: number(body, "expires_in", 600)
  }
  return prompt
})

/** Polls until the user has decided. */
export const awaitTokens = Effect.fnUntraced(function* (provider: Provider, wanted: Wanted, prompt: DevicePrompt) {
  const end = (yield* Clock.currentTimeMillis) + prompt.expiresIn * 1_000
  let { interval } = prompt
  while ((yield* Clock.currentTimeMillis) < end) {
    yield* Effect.sleep(interval * 1_000)
    const form = { grant_type: DEVICE_CODE, device_code: prompt.deviceCode, client_id: wanted.client_id }
    const answer = yield* Effect.option(sendRequest(provider.token_endpoint, { form }))
    // After a network error, poll less often instead of failing (RFC 8628 §3.5).
    if (Option.isNone(answer)) {
      interval *= 2
      continue
    }
    const { status, body } = answer.value
    if (status === 200) return yield* loginOf(wanted, answer.value, null)
    const { error } = body
    if (error === "slow_down") interval += INTERVAL
    else if (error === "access_denied") return yield* new CommandFailed({ happened: "Access was denied." })
    else if (error === "expired_token") break
    else if (error !== "authorization_pending" && status < 500) {
      return yield* new CommandFailed({ happened: `The login was rejected: ${errorText(answer.value)}` })
    }
  }
  return yield* new CommandFailed({ happened: "The code has expired.", todo: "Run sallyport login again." })
})

/** Refreshes a login. `resource`: the resource server that the access token is for (default: all granted resources). */
const refreshed = Effect.fnUntraced(function* (provider: Provider, login: StoredLogin, resource?: string) {
  const ended = new CommandFailed({ happened: "The login has ended.", todo: loginAgain(login) })
  const { client_id, refresh_token } = login
  if (refresh_token === null) return yield* ended
  const form = { grant_type: "refresh_token", refresh_token, client_id, resource }
  const answer = yield* sendRequest(provider.token_endpoint, { form })
  if (answer.status === 200) return yield* loginOf({ resources: [], ...login }, answer, refresh_token)
  if (answer.body["error"] === "invalid_grant") return yield* ended
  return yield* new CommandFailed({ happened: `The login can't be refreshed: ${errorText(answer)}` })
})

/** Returns a login with a valid access token, refreshed if necessary. */
export const validLogin = Effect.fnUntraced(function* (provider: Provider, login: StoredLogin) {
  const seconds = (yield* Clock.currentTimeMillis) / 1_000
  return login.expires_at - REFRESH_BEFORE_SECONDS > seconds ? login : yield* refreshed(provider, login)
})

/**
 * Returns an access token for the issuer itself, together with the updated login, or undefined if the login is only for
 * other resource servers and can't be refreshed.
 */
export const tokenForIssuer = Effect.fnUntraced(function* (provider: Provider, login: StoredLogin) {
  if ((login.resources ?? []).length === 0) return { accessToken: login.access_token, login }
  if (login.refresh_token === null) return undefined
  const { access_token: accessToken, refresh_token } = yield* refreshed(provider, login, provider.issuer)
  return { accessToken, login: { ...login, refresh_token } }
})
