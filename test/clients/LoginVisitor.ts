import { decodeJwt } from "jose"
import { hostedOperations } from "#api/hosted/V1"
import { type LoginDecision, type LoginFlow, loginFlow } from "#client/frameworks/login/LoginFlow"
import type { HostedLoginOptions } from "#client/frameworks/login/LoginOptions"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { Browser } from "../support/browser.ts"
import { fetchWithin, newRealm } from "../support/decoding.ts"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"

export const SITE = "https://app.example.test"

/** An app with a login, and the log that its developer reads. */
export interface LoginApp {
  readonly realm: GivenRealm
  readonly id: string
  readonly pages: string
  readonly options: HostedLoginOptions
  readonly login: LoginFlow
  readonly log: ReadonlyArray<string>
  /** The paths of the requests to the service. */
  readonly calls: ReadonlyArray<string>
  /** Advances the app's clock by a number of seconds. The service's clock doesn't advance. */
  readonly pass: (seconds: number) => void
  /** Cuts or restores the connection to the service. */
  readonly cut: (isCut: boolean) => void
  /** Creates a user with a password. */
  readonly user: (attributes?: object) => Promise<Reply>
  /** Logs a user in on the app's pages, in a browser of its own. Returns the token that the app gets. */
  readonly token: (userId: string) => Promise<{ readonly id: string; readonly token: string }>
}

/** Creates a realm with a connected app, and the login of that app. */
export const loginApp = async (
  settings: Partial<HostedLoginOptions> = {},
  attributes: Readonly<Record<string, unknown>> = {},
  realmSettings: Readonly<Record<string, unknown>> = { jwt_algo: "rs256", jwt_scopes: ["ar.orgs"] }
): Promise<LoginApp> => {
  const realm = await newRealm(realmSettings)
  const app = await realm.connectedApp({ login_handler: `${SITE}/callback`, ...attributes })
  const [log, calls]: [Array<string>, Array<string>] = [[], []]
  const within = fetchWithin(realm)
  let [millis, isCut] = [STARTS_AT, false]
  const options: HostedLoginOptions = {
    url: "https://id.example.test",
    key: (await realm.as("write")).key,
    app: app.id,
    log: (message) => void log.push(message),
    now: () => millis,
    fetch: async (url, init) => {
      calls.push(`${init.method} ${new URL(url).pathname}`)
      if (isCut) throw new TypeError("fetch failed")
      return within(url, init)
    },
    ...settings
  }
  const pages = `https://${app.member("domains", 0)}`
  return {
    realm,
    id: app.id,
    pages,
    options,
    login: loginFlow(options),
    log,
    calls,
    pass: (seconds) => {
      millis += seconds * 1_000
    },
    cut: (cut) => {
      isCut = cut
    },
    user: (of = {}) => quickUser(realm, of),
    token: async (userId) => {
      const username = (await realm.get(`/v2/users/${userId}`)).string("email")
      const body = JSON.stringify({ username, password: PASSWORD })
      const headers = { "content-type": "application/json" }
      const at = `${pages}${hostedOperations.login.path}`
      const token = (await new Browser(realm.transport).go(at, { method: "POST", body, headers })).string("token")
      return { id: String(decodeJwt(token)["sid"]), token }
    }
  }
}

type Fields = Readonly<Record<string, string>>

/** A browser that stores cookies and doesn't follow redirects. */
export class LoginVisitor {
  readonly cookies = new Map<string, string>()
  /** The `Set-Cookie` values of the last response. */
  set: ReadonlyArray<string> = []
  readonly #login: LoginFlow

  constructor(login: LoginFlow) {
    this.#login = login
  }

  /** Sends a request. `headers` replace the visitor's own. */
  async send(method: string, url: string, headers: Fields = {}): Promise<LoginDecision> {
    return this.#decided(await this.#login.handle(this.#request(method, url, headers)))
  }

  async get(url: string, headers: Fields = {}): Promise<LoginDecision> {
    return this.send("GET", url, headers)
  }

  async refresh(): Promise<LoginDecision> {
    return this.#decided(await this.#login.refresh(this.#request("GET", "/", {})))
  }

  /** Follows a link to the login, and returns the URL of the login page. */
  async begin(url = "/login"): Promise<URL> {
    return new URL(locationIn(await this.get(url)))
  }

  /** Begins a login and returns its state. */
  async state(url = "/login"): Promise<string> {
    return (await this.begin(url)).searchParams.get("state") ?? ""
  }

  /** Returns from the login pages. */
  async handOver(query: Fields): Promise<LoginDecision> {
    return this.get(`/callback?${new URLSearchParams(query)}`)
  }

  /** Logs in with a token. */
  async logIn(token: string, url = "/login"): Promise<LoginDecision> {
    return this.handOver({ token, state: await this.state(url) })
  }

  /** The ID of the user who is logged in, or null. */
  async user(): Promise<string | null | undefined> {
    const { session } = await this.get("/")
    return session == null ? session : session.user_id
  }

  #request(method: string, url: string, headers: Fields) {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ")
    const all: Fields = { host: new URL(SITE).host, accept: "text/html", cookie, ...headers }
    return { method, url, header: (name: string) => all[name] || undefined, param: () => undefined }
  }

  #decided(decision: LoginDecision): LoginDecision {
    this.set = decision.answer?.cookies ?? (decision.answer === undefined ? decision.cookies : [])
    for (const cookie of this.set) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (cookie.includes("Max-Age=0")) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return decision
  }
}

/** The URL of a redirect. */
export const locationIn = ({ answer }: LoginDecision): string => {
  if (answer?.status !== 303) throw new Error(`Not a redirect: ${answer?.status} ${answer?.body}`)
  return answer.headers["location"] ?? ""
}
