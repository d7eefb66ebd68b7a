import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { SentMail } from "#client/generated/types/SentMail"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { visible } from "../Visible.ts"
import { userArgument } from "./UsersList.ts"

const kinds = {
  "password-reset": "password reset email",
  verification: "verification email"
} as const

const outcome = (name: string, { email, delivery }: SentMail): string => {
  const to = visible(email)
  if (delivery === "server") return `The ${name} was sent to ${to}.`
  return delivery === "mailbox"
    ? `The ${name} for ${to} was not sent: this service stores emails in its mailbox, at /mailbox.`
    : `No email template is active for the ${name}. A webhook receives the link for ${to}.`
}

/** `sallyport users send-email` */
export const usersSendEmail = Command.make(
  "send-email",
  {
    user: userArgument,
    kind: Flag.Literals("kind", ["password-reset", "verification"]).pipe(
      Flag.withMetavar("<kind>"),
      Flag.withDescription("The email: a link to set a new password, or to verify the email address")
    ),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ user, kind, realm }) {
    const { read, change } = yield* remoteIn(realm)
    const { id } = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const name = kinds[kind]
    const sent = yield* change(`The ${name} is on its way.`, ({ logins }, options) =>
      kind === "verification"
        ? logins.sendEmailVerification(id, {}, options)
        : logins.sendPasswordReset(id, {}, options)
    )
    yield* print(sent, outcome(name, sent))
  })
).pipe(
  Command.withDescription(
    "Emails a user a link to set a new password, or to verify their email. Only the email contains the link. Requires a key of level write."
  ),
  Command.withShortDescription("Emails a user a link for a new password or verification"),
  Command.withExamples([
    { command: "sallyport users send-email ada@example.com --kind password-reset" },
    { command: "sallyport users send-email ada@example.com --kind verification" }
  ])
)
