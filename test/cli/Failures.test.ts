import { createServer } from "node:net"
import { setTimeout } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { TimedOut } from "#client/Errors"
import { RELEASE } from "#server/Command"
import { cli } from "./Cli.ts"

type Fetch = NonNullable<Parameters<typeof cli>[1]>["fetch"]

const environment = { SALLYPORT_URL: "https://id.example.com", SALLYPORT_KEY: "sk_1" }

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const refused = (status: number, message: string, headers?: Readonly<Record<string, string>>) =>
  json(status, { errors: [message], error_details: [{ field: null, code: "some", message }] }, headers)

/** Lists API keys while every request gets this response. */
const list = (answer: () => Response | Promise<Response>, ...options: ReadonlyArray<string>) => {
  const fetch: Fetch = async () => answer()
  return cli(["keys", "list", ...options], { environment, fetch })
}

const lost = (code: string) => () =>
  Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }))

describe("a failed request", () => {
  test.each([
    [
      "the connection was refused",
      lost("ECONNREFUSED"),
      "The service at https://id.example.com can't be reached: the connection was refused.",
      "Start the service, for example with sallyport serve, or set its URL with --url or SALLYPORT_URL."
    ],
    [
      "an unknown host name",
      lost("ENOTFOUND"),
      "The service at https://id.example.com can't be reached: the host name is unknown.",
      "Check the name in --url or SALLYPORT_URL."
    ],
    [
      "an expired certificate",
      lost("CERT_HAS_EXPIRED"),
      "The service at https://id.example.com can't be reached: its TLS certificate has expired.",
      "Renew the certificate."
    ],
    [
      "a timeout",
      () => Promise.reject(new TimedOut({ route: "GET /v2/api_keys", message: "No answer within 30 seconds." })),
      "The service at https://id.example.com took too long to respond.",
      "Check the service and its database at https://id.example.com/readyz, then run the command again."
    ],
    [
      "a wrong key",
      () => refused(401, "API key is unknown."),
      "The service at https://id.example.com rejected the API key: API key is unknown.",
      "Set SALLYPORT_KEY to an API key of this service, or use --key-file."
    ],
    [
      "a key with too low a level",
      () => refused(403, "Needs admin_realm."),
      "The API key isn't allowed to do this: Needs admin_realm.",
      "Use a key with a higher level, or one that isn't bound to another realm."
    ],
    [
      "too many requests",
      () => refused(429, "Slow down.", { "retry-after": "7" }),
      "Too many requests: Slow down.",
      "Run the command again in 7 seconds."
    ],
    [
      "a service whose database is unavailable",
      () => refused(503, "The database is away.", { "x-request-id": "req_1" }),
      "The service at https://id.example.com is currently unavailable: The database is away. Request req_1.",
      "Run the command again in a minute. If the problem persists, look for the request in the service's log."
    ],
    [
      "another server at that address",
      () => new Response("<h1>It works!</h1>", { status: 404, headers: { "content-type": "text/html" } }),
      "The server at https://id.example.com is not Sallyport (status 404).",
      "Check --url or SALLYPORT_URL, and any proxies."
    ]
  ])("exits with 1 and explains what failed and what to do: %s", async (_, answer, happened, todo) => {
    expect(await list(answer)).toEqual({
      code: 1,
      out: "",
      err: `Error: ${happened}\n${todo}\n`
    })
  })

  test("is reported as JSON on stderr with --json", async () => {
    const { code, out, err } = await list(lost("ECONNREFUSED"), "--json")
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(JSON.parse(err)).toEqual({
      error: {
        happened: "The service at https://id.example.com can't be reached: the connection was refused.",
        todo: "Start the service, for example with sallyport serve, or set its URL with --url or SALLYPORT_URL."
      }
    })
  })

  test("recommends the matching program when the service is a newer release", async () => {
    const fetch: Fetch = async (url) =>
      String(url).endsWith("/readyz")
        ? json(200, { status: "ready", version: "9.0.0" })
        : refused(404, "There is nothing at this address.")
    expect((await cli(["keys", "list"], { environment, fetch })).err).toContain(
      `The service is release 9.0.0, but this program is release ${RELEASE}. Use the matching program: npm install sallyport@9.0.0 sallyport-service@9.0.0.`
    )
  })

  test("asks for a bug report with details if the CLI itself is at fault", async () => {
    const { code, err } = await list(() => json(200, { collection: 1, more_results: false }))
    expect(code).toBe(1)
    expect(err).toContain("Internal error in Sallyport.")
    expect(err).toContain("Please report this error with the lines above.")
  })
})

describe("a failed change", () => {
  const key = { id: "key_1", name: "old", level: "read" }

  /** Runs a deletion of an API key whose request fails in the given way. */
  const deletion = async (failed: () => Promise<never>) => {
    const fetch: Fetch = (_, init) => (init?.method === "DELETE" ? failed() : Promise.resolve(json(200, key)))
    return (await cli(["keys", "delete", "key_1", "--yes"], { environment, fetch })).err.split("\n")[1]
  }

  test.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "UND_ERR_CONNECT_TIMEOUT",
    "EHOSTUNREACH",
    "CERT_HAS_EXPIRED"
  ])("reports that no request was sent when no connection was made (%s)", async (code) => {
    expect(await deletion(lost(code))).toBe("Nothing was sent.")
  })

  test("reports that no request was sent when a port of this machine refuses the connection", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await new Promise((resolve) => server.close(resolve))
    const ended = await cli(["realms", "create", "acme"], {
      environment: { SALLYPORT_URL: `http://127.0.0.1:${port}`, SALLYPORT_KEY: "sk_1" }
    })
    expect(ended.err).toContain("the connection was refused.\nNothing was sent.\n")
  })

  test.each([
    "ECONNRESET",
    "UND_ERR_SOCKET",
    "ESOMETHING"
  ])("reports that the request may have been executed when the connection was lost (%s)", async (code) => {
    expect(await deletion(lost(code))).toBe("The request was already sent and may have been executed.")
  })
})

describe("the clock check of the command line", () => {
  const keys = (date: string) => () => json(200, { collection: [], more_results: false }, { date })
  const agoOrAhead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toUTCString()

  test("warns about a difference of an hour, and the command continues", async () => {
    const behind = await list(keys(agoOrAhead(61)))
    expect(behind).toMatchObject({ code: 0, out: expect.stringMatching(/^ID +NAME/) })
    expect(behind.err).toBe(
      "Warning: this machine's clock is 61 minutes behind the service's. Tokens issued by one look expired or not yet valid to the other. Correct the wrong clock, for example with timedatectl set-ntp true.\n"
    )
    expect((await list(keys(agoOrAhead(-180)))).err).toContain("is 3 hours ahead of the service's")
  })

  test("ignores a difference of a minute, and any difference with --json", async () => {
    expect((await list(keys(agoOrAhead(1)))).err).toBe("")
    expect((await list(keys(agoOrAhead(61)), "--json")).err).toBe("")
  })
})

describe("Ctrl-C", () => {
  const key = { id: "key_1", name: "old", level: "read" }

  /**
   * Deletes an API key with requests that hang from `hangsAt` on, and stops the command once the request has been sent.
   */
  const stopped = async (hangsAt: "GET" | "DELETE") => {
    const stop = new AbortController()
    const fetch: Fetch = async (_, init) => {
      if (init?.method !== hangsAt) return json(200, key)
      void setTimeout(5).then(() => stop.abort())
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason))
      })
    }
    return cli(["keys", "delete", "key_1", "--yes"], { environment, fetch, signal: stop.signal })
  }

  test("exits with 130 and reports that nothing changed when pressed before the request is sent", async () => {
    expect(await stopped("GET")).toEqual({ code: 130, out: "", err: "\nStopped. Nothing was changed.\n" })
  })

  test("exits with 130 and reports a possible change when pressed after the request is sent", async () => {
    expect(await stopped("DELETE")).toEqual({
      code: 130,
      out: "",
      err: "\nStopped. The request was already sent and may have been executed.\n"
    })
  })
})
