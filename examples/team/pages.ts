import type { Invitation, Membership } from "sallyport/client"
import type { Session } from "sallyport/client/express"
import { roleOf, roles } from "./roles.ts"

/** Markup that is inserted into a page unchanged. Everything else is escaped. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (value: unknown): string => {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(escaped).join("")
  return String(value ?? "").replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) =>
  new Markup(String.raw({ raw: strings }, ...values.map(escaped)))

const page = (title: string, content: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 100%/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: anywhere }
form { display: inline-block; margin: .25rem .5rem .25rem 0 }
input, button, select { font: inherit; padding: .4rem .6rem }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text

const button = (action: string, label: string) =>
  html`<form method="post" action="${action}"><button>${label}</button></form>`

const loginButtons = html`${button("/login", "Log in")} ${button("/signup", "Sign up")}`

/** The page for visitors who are not logged in. */
export const welcome = (): string => page("Teams", html`<p>Log in to share tasks with your team.</p>${loginButtons}`)

/** The page that explains why a request failed. */
export const refusal = (why: string): string =>
  page("Sorry", html`<p>${why}</p><p><a href="/">Back to your teams</a></p>`)

/** The home page with the user's teams, which are listed in the token. */
export const home = ({ user, orgs }: Session): string =>
  page(
    `Hello, ${user.name ?? user.email ?? "you"}`,
    html`<p>${orgs.length === 0 ? "You aren't in a team yet. Create one, or ask for an invitation." : "Your teams:"}</p>
<ul>${orgs.map(({ id, name, permissions }) => html`<li><a href="/teams/${id}">${name}</a> (${roleOf(permissions)})</li>`)}</ul>
<form method="post" action="/teams">
<label>New team <input name="name" maxlength="100" required></label> <button>Create team</button>
</form>
<p>${button("/logout", "Log out")}</p>`
  )

const roleChoice = (chosen: string, label: string, none?: string) =>
  html`<select name="role" aria-label="${label}">${Object.keys(roles).map(
    (role) => html`<option${role === chosen ? new Markup(" selected") : ""}>${role}</option>`
  )}${none === undefined ? "" : html`<option value="none">${none}</option>`}</select>`

interface Team {
  readonly tasks: ReadonlyArray<string>
  readonly members: ReadonlyArray<Membership>
  readonly invitations: ReadonlyArray<Invitation>
}

/** The page of a team, with its tasks and members. It only has forms that the viewer may use. */
export const team = ({ org, permissions, user_id }: Session, { tasks, members, invitations }: Team): string => {
  const here = `/teams/${org?.id}`
  const manages = permissions.includes("members:manage")
  const member = ({ id, user, user_id: whose, permissions: granted }: Membership) => {
    const name = user?.name ?? whose
    if (!manages || whose === user_id) return html`<li>${name} (${roleOf(granted)})</li>`
    return html`<li>${name} <form method="post" action="${here}/members/${id}">
${roleChoice(roleOf(granted), `Role of ${name}`, "Remove from team")} <button>Save</button></form></li>`
  }
  return page(
    org?.name ?? "Team",
    html`<h2>Tasks</h2>
<ul>${tasks.map((task) => html`<li>${task}</li>`)}</ul>
${
  permissions.includes("tasks:write")
    ? html`<form method="post" action="${here}/tasks">
<label>New task <input name="task" maxlength="500" required></label> <button>Add task</button>
</form>`
    : ""
}
<h2>Members</h2>
<ul>${members.map(member)}</ul>
${
  manages
    ? html`<h2>Invitations</h2>
<ul>${invitations.map(({ email }) => html`<li>${email}</li>`)}</ul>
<form method="post" action="${here}/invitations">
<label>Email <input type="email" name="email" required></label> ${roleChoice("member", "Role")} <button>Invite</button>
</form>`
    : ""
}
<p><a href="/">Your teams</a></p>`
  )
}
