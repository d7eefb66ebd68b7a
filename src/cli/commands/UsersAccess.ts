import { Effect } from "effect"
import { Command } from "effect/cli"
import { allOf } from "../All.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag, switchFlag } from "../Flags.ts"
import { printList } from "../LimitedList.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { userArgument } from "./UsersList.ts"

/** The name that confirms a change of a user. */
const nameOf = ({ id, email }: { readonly id: string; readonly email: string | null }) => email ?? id

/** `sallyport users deactivate` */
export const usersDeactivate = Command.make(
  "deactivate",
  { user: userArgument, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ user, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const found = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const name = nameOf(found)
    yield* confirm(
      `${name} (${found.id}) will be logged out everywhere, and can't log in until the user is activated.`,
      name,
      yes
    )
    const done = `${visible(name)} (${found.id}) is inactive and was logged out.`
    const changed = yield* change(done, (sallyport, options) =>
      sallyport.users.update(found.id, { state: "inactive" }, options)
    )
    yield* print(changed, done)
  })
).pipe(
  Command.withDescription(
    "Makes a user inactive: ends all sessions, and prevents logins until the user is activated. Asks for the user's email to confirm; in scripts, use --yes. Requires a key of level write."
  ),
  Command.withShortDescription("Logs a user out and prevents logins"),
  Command.withExamples([{ command: "sallyport users deactivate ada@example.com" }])
)

/** `sallyport users activate` */
export const usersActivate = Command.make(
  "activate",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { change } = yield* remoteIn(realm)
    const changed = yield* change(`${user} is active.`, (sallyport, options) =>
      sallyport.users.update(user, { state: "active" }, options)
    )
    yield* print(changed, `${visible(nameOf(changed))} (${changed.id}) is active.`)
  })
).pipe(
  Command.withDescription(
    "Makes an inactive user active. A user who is blocked after too many wrong passwords is not inactive: use sallyport users unblock. Requires a key of level write."
  ),
  Command.withShortDescription("Lets an inactive user log in again"),
  Command.withExamples([{ command: "sallyport users activate ada@example.com" }])
)

/** `sallyport users reset-password` */
export const usersResetPassword = Command.make(
  "reset-password",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read, change } = yield* remoteIn(realm)
    const found = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const page = yield* read(async (sallyport, options) => {
      const { items } = await sallyport.clientApps.list({ sort: "id", max_results: 100 }, options)
      return items.find(({ login_url }) => login_url !== null)?.login_url ?? undefined
    })
    const { token } = yield* change(
      `A password link for ${nameOf(found)} was created, but could not be shown.`,
      (sallyport, options) => sallyport.logins.generatePasswordToken(found.id, {}, options)
    )
    const link = page === undefined ? undefined : new URL(`reset?token=${encodeURIComponent(token)}`, page).href
    const about = `Anyone with ${link === undefined ? "this token" : "this link"} can set the password of ${visible(nameOf(found))}. It works once and expires in 60 minutes, so share it securely.`
    const todo =
      link === undefined
        ? "\nThe realm has no login page. Set the password with POST /v2/users/reset_password_with_token."
        : ""
    yield* print(
      { object: "password_link", user_id: found.id, link: link ?? null, token },
      `${link ?? token}\n${about}${todo}`
    )
  })
).pipe(
  Command.withDescription(
    "Creates a link with which a user sets a new password, on the login page of the realm's oldest app. Nothing is sent: give the link to the user, or use sallyport users send-email. The current password works until then. Requires a key of level write."
  ),
  Command.withShortDescription("Creates a link to set a new password"),
  Command.withExamples([{ command: "sallyport users reset-password ada@example.com" }])
)

/** `sallyport users sessions` */
export const usersSessions = Command.make(
  "sessions",
  { user: userArgument, end: switchFlag("end", "End all of the user's sessions"), realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ user, end, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    // The list of an unknown user's sessions is empty.
    const found = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const name = nameOf(found)
    if (end) {
      yield* confirm(`All sessions of ${name} (${found.id}) will end immediately.`, name, yes)
      const ended = yield* change(`The sessions of ${name} were ended.`, (sallyport, options) =>
        sallyport.users.endSessions(found.id, {}, options)
      )
      const count = `${ended.sessions} ${ended.sessions === 1 ? "session" : "sessions"}`
      return yield* print(ended, `${count} of ${visible(name)} ended.`)
    }
    const sessions = yield* read((sallyport, options) =>
      allOf(sallyport.sessions.list({ user_id: found.id, max_results: 1_000 }, options))
    )
    yield* printList(
      "sessions",
      { items: sessions, isCut: false },
      ["ID", "STARTED", "LAST SEEN", "EXPIRES", "METHODS", "IP", "BROWSER"],
      (session) => [
        session.id,
        timeText(session.created_at),
        timeText(session.last_seen_at),
        timeText(session.expires_at, "never"),
        session.amr.join(" "),
        session.request?.ip ?? "",
        session.request?.client ?? ""
      ]
    )
  })
).pipe(
  Command.withDescription(
    "Lists a user's active sessions, or with --end ends all of them. Ending asks for the user's email to confirm; in scripts, use --yes. Times are in UTC."
  ),
  Command.withShortDescription("Lists or ends a user's sessions"),
  Command.withExamples([
    { command: "sallyport users sessions ada@example.com" },
    { command: "sallyport users sessions ada@example.com --end" }
  ])
)
