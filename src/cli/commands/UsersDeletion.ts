import { Effect } from "effect"
import { Command } from "effect/cli"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { userArgument } from "./UsersList.ts"

/** `sallyport users cancel-deletion` */
export const usersCancelDeletion = Command.make(
  "cancel-deletion",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read, change } = yield* remoteIn(realm)
    const { id, email, deletion_at } = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const name = `${visible(email ?? id)} (${id})`
    const answer = { id, canceled_deletion_at: deletion_at }
    if (deletion_at === null) return yield* print(answer, `${name} is not going to be deleted.`)
    const done = `${name} will not be deleted. The deletion was due at ${timeText(deletion_at)} UTC.`
    yield* change(done, (sallyport, options) => sallyport.users.cancelDeletion(id, options))
    yield* print(answer, done)
  })
).pipe(
  Command.withDescription(
    "Cancels the deletion of an account that its user asked for on the hosted pages. The link in the email about it stops working. Requires a key of level write."
  ),
  Command.withShortDescription("Keeps an account whose user asked to delete it"),
  Command.withExamples([{ command: "sallyport users cancel-deletion ada@example.com" }])
)
