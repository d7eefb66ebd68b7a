import { expect } from "vitest"
import { Reply } from "#testing/Api"
import { type Transport, transportTo } from "#testing/Transport"

/** Matches the cookie by which a browser is recognized after a login. */
export const KNOWN = expect.stringMatching(
  /^__Host-known_browser=\w{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
)

interface Cookie {
  readonly value: string
  readonly path: string
}

/** The parts of a visit besides the URL. */
export interface Visit {
  readonly method?: string
  readonly form?: Readonly<Record<string, string>>
  /** A body of another type, named in the headers. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A user's browser at the hosts of a service. It stores cookies per host and doesn't follow redirects. */
export class Browser {
  readonly #transport: Transport
  readonly #jar = new Map<string, Map<string, Cookie>>()

  constructor(service: string | Transport) {
    this.#transport = transportTo(service)
  }

  /** Requests a URL of the service at any of its hosts. */
  async go(address: string | URL, visit: Visit = {}): Promise<Reply> {
    const at = new URL(address)
    const jar = this.#jar.get(at.hostname) ?? new Map<string, Cookie>()
    this.#jar.set(at.hostname, jar)
    const fitting = [...jar].filter(([, { path }]) => at.pathname.startsWith(path))
    const cookie = fitting.map(([name, { value }]) => `${name}=${value}`).join("; ")
    const { method, form, headers } = visit
    const body = form === undefined ? visit.body : new URLSearchParams(form).toString()
    const { status, text, ...answer } = await this.#transport.send({
      method: method ?? (body === undefined ? "GET" : "POST"),
      path: at.pathname + at.search,
      headers: {
        host: at.host,
        ...(cookie === "" ? {} : { cookie }),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...headers
      },
      body
    })
    const reply = new Reply(status, answer.headers, text)
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; ?max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, { value, path: /; ?path=([^;]*)/i.exec(line)?.[1] ?? "/" })
    }
    return reply
  }

  /** The cookies of a host. */
  cookies(host: string): Readonly<Record<string, string>> {
    return Object.fromEntries([...(this.#jar.get(host) ?? [])].map(([name, { value }]) => [name, value]))
  }
}
