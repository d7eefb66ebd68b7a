/** A response that the login sends itself. */
export interface LoginAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`. */
  readonly cookies: ReadonlyArray<string>
  readonly body: string
}

/** Callback URLs contain a token, so only this site may see them, and nothing may be cached. */
const headers = { "cache-control": "no-store", "referrer-policy": "same-origin" }

/** Redirects with a `GET` request. */
export const redirect = (to: string, cookies: ReadonlyArray<string> = []): LoginAnswer => ({
  status: 303,
  headers: { ...headers, location: to },
  cookies,
  body: ""
})

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** What a page offers: a link, or a form with a button. */
export type LoginAction =
  | { readonly label: string; readonly href: string }
  | { readonly label: string; readonly post: string }

const markupOf = (action: LoginAction): string => {
  const label = escaped(action.label)
  return "href" in action
    ? `<a href="${escaped(action.href)}">${label}</a>`
    : `<form method="post" action="${escaped(action.post)}"><button>${label}</button></form>`
}

/** A page with a sentence, for users. */
export const page = (
  status: number,
  title: string,
  sentence: string,
  action: LoginAction,
  more: Readonly<Record<string, string>> = {}
): LoginAnswer => ({
  status,
  headers: {
    ...headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    ...more
  },
  cookies: [],
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(sentence)}</p>
${markupOf(action)}
</main>
</body>
</html>
`
})

/** The response for runtimes with `fetch`. */
export const answerResponse = ({ status, headers: fields, cookies, body }: LoginAnswer): Response => {
  const response = new Response(body === "" ? null : body, { status, headers: { ...fields } })
  for (const cookie of cookies) response.headers.append("set-cookie", cookie)
  return response
}
