import { Api, type Call, type Reply } from "#testing/Api"
import type { Transport } from "#testing/Transport"
import { Browser, type Visit } from "./browser.ts"

/** The public URL of the services in tests. */
export const ORIGIN = "https://id.example.test"

/** The cookie with a session's secret. */
export const COOKIE = "__Host-console_session"

/** The headers that browsers send with requests from a console page. */
export const ownHeaders = { "x-sallyport-console": "1", "sec-fetch-site": "same-origin", origin: ORIGIN }

/** A browser with the console open. Its cookie is its only credential. */
export class ConsolePage {
  readonly #browser: Browser

  constructor(transport: Transport, browser = new Browser(transport)) {
    this.#browser = browser
  }

  /** The secret of the page's session. */
  get secret(): string | undefined {
    return this.#browser.cookies("id.example.test")[COOKIE]
  }

  /** Sends a request as a console page would, with some headers replaced. */
  send(method: string, path: string, visit: Pick<Visit, "body" | "headers">): Promise<Reply> {
    return this.#browser.go(ORIGIN + path, { ...visit, method, headers: { ...ownHeaders, ...visit.headers } })
  }

  call(method: string, path: string, { body, headers = {} }: Call = {}): Promise<Reply> {
    return body === undefined
      ? this.send(method, path, { headers })
      : this.send(method, path, {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers }
        })
  }

  signIn(key: unknown, headers: Call["headers"] = {}): Promise<Reply> {
    return this.call("POST", "/console/session", { body: { api_key: key }, headers })
  }

  /** Logs in as the operator who is logged in on the pages for operators. */
  signInOperator(): Promise<Reply> {
    return this.call("POST", "/console/session", { body: { operator: true } })
  }

  session(): Promise<Reply> {
    return this.call("GET", "/console/session")
  }

  /** Ends the page's session, or the other sessions of the same key. */
  end(which: "own" | "others" = "own"): Promise<Reply> {
    return this.call("DELETE", which === "own" ? "/console/session" : "/console/session?others=true")
  }
}

/** A page that is logged in with a key. */
export const signedIn = async (transport: Transport, key: string): Promise<ConsolePage> => {
  const page = new ConsolePage(transport)
  const reply = await page.signIn(key)
  if (reply.status !== 201) throw new Error(`No login: ${reply.status} ${reply.text}`)
  return page
}

/** A caller without a key. */
export const anonymousCaller = (transport: Transport): Api => new Api(transport, undefined)
