import { createHash } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import { Effect } from "effect"
import { decoder } from "#client/Decode"
import type { Decoded } from "#client/Decoded"
import { timeText } from "../Time.ts"

/** The URL of the app's pages, and the issuer of its tokens. */
export interface Pages {
  readonly loginUrl: string
  readonly logoutUrl: string
  readonly jwksUrl: string
}

/** A stand-in for the developer's app, at the URL that logins redirect to. */
export interface StandInApp {
  readonly url: string
  /** Sets the URL of the app's pages, which is known only after this app has started. */
  readonly setPages: (pages: Pages) => void
}

const style = `
:root { color-scheme: light dark }
body { font: 100%/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 2rem 1.5rem; overflow-wrap: anywhere }
pre { padding: 1rem; border: 1px solid #8886; border-radius: .5rem; white-space: pre-wrap }
`

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Sends a page. `content` is HTML; the caller escapes external values. */
const send = (response: ServerResponse, status: number, title: string, content: string) => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff"
  })
  response.end(
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escaped(title)}</title>\n<style>${style}</style>\n<h1>${escaped(title)}</h1>\n${content}\n</html>\n`
  )
}

const standInNote = "<p>This page stands in for your app, at the URL that users return to after login.</p>"

const link = (to: string, text: string) => `<p><a href="${escaped(to)}">${text}</a></p>`

const welcomed = ({ user, expires_at }: Decoded, { logoutUrl }: Pages): string => {
  const until = expires_at === null ? "" : ` until ${timeText(expires_at)} UTC`
  return `${standInNote}
<p>Your app gets a token in the address, verifies it with <code>decoder</code> of <code>sallyport/client</code>, and knows${until}:</p>
<pre>${escaped(JSON.stringify(user, undefined, 2))}</pre>
${link(logoutUrl, "Log out")}`
}

const answer = async (pages: Pages, path: string, query: URLSearchParams, response: ServerResponse): Promise<void> => {
  const again = link(pages.loginUrl, "Log in")
  if (path === "/") return send(response, 200, "You are not logged in", `${standInNote}\n${again}`)
  if (path !== "/callback") return send(response, 404, "Page not found", again)
  const decoded = await decoder({ jwks: new URL(pages.jwksUrl) })(query.get("token") ?? "")
  if (decoded === null) return send(response, 403, "That token isn't valid", `${standInNote}\n${again}`)
  const { user } = decoded
  send(response, 200, `Hello, ${user.name ?? user.email ?? user.id}`, welcomed(decoded, pages))
}

const listen = (server: Server, port: number) =>
  Effect.callback<number, Error>((resume) => {
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

/** Serves the page until the scope closes. `port`: the preferred port. */
export const serveStandInApp = Effect.fnUntraced(function* (port: number) {
  let pages: Pages | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    if (pages === undefined) return send(response, 503, "Not ready yet", "<p>Try again in a moment.</p>")
    answer(pages, pathname, searchParams, response).catch((error: unknown) => {
      send(response, 500, "Something went wrong", `<pre>${escaped(String(error))}</pre>`)
    })
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const usedPort = yield* listen(server, port).pipe(Effect.catch(() => Effect.orDie(listen(server, 0))))
  return {
    url: `http://localhost:${usedPort}`,
    setPages: (known) => {
      pages = known
    }
  } satisfies StandInApp
})
