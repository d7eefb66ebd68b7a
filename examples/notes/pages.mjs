/** Markup that is inserted into a page unchanged. Everything else is escaped. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }
}

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** @type {(value: unknown) => string} */
const escaped = (value) => {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(escaped).join("")
  return String(value ?? "").replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

/** @type {(strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) => Markup} */
const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(escaped)))

/** The only stylesheet, inlined in every page. */
export const style = `
body { font: 100%/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere }
form { display: inline-block; margin: .25rem .5rem .25rem 0 }
input, button { font: inherit; padding: .5rem .75rem }
`

/** @type {(title: string, content: Markup) => string} */
const page = (title, content) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text

/** @type {(action: string, label: string) => Markup} */
const button = (action, label) => html`<form method="post" action="${action}"><button>${label}</button></form>`

const loginButtons = html`${button("/login", "Log in")} ${button("/signup", "Sign up")}`

/** The page for visitors who are not logged in. */
export const welcome = () => page("Notes", html`<p>Log in to write notes.</p>${loginButtons}`)

/** Greets the user, and shows their notes. */
export const notebook = (
  /** @type {import("sallyport/client/express").Session["user"]} */ user,
  /** @type {ReadonlyArray<string>} */ notes
) =>
  page(
    `Hello, ${user.name}`,
    html`<p>You're logged in as <b>${user.email}</b> (${user.email_verification === "verified" ? "confirmed" : "not confirmed yet"}).</p>
<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
<form method="post" action="/notes">
<label>New note <input name="note" maxlength="500" required></label> <button>Add note</button>
</form>
${button("/logout", "Log out")}`
  )

/** The page that explains why a request failed. */
export const errorPage = (/** @type {string} */ why) => page("Sorry", html`<p>${why}</p>${loginButtons}`)
