import { Effect } from "effect"
import { Command } from "effect/cli"
import type { UserBlock } from "#client/generated/types/UserBlock"
import { realmFlag } from "../Flags.ts"
import { printList } from "../LimitedList.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"
import { userArgument } from "./UsersList.ts"

const operations: Readonly<Record<string, string>> = {
  password: "password logins",
  code: "authenticator codes",
  email_code: "emailed codes",
  device_code: "device codes",
  email: "emails"
}

const reasonOf = ({ reason, limit }: UserBlock): string =>
  reason === "failed_attempts" ? "too many wrong attempts" : `rate limit ${limit ?? ""}`.trimEnd()

/** `sallyport users blocks` */
export const usersBlocks = Command.make(
  "blocks",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read } = yield* remoteIn(realm)
    const { blocks } = yield* read((sallyport, options) => sallyport.users.blocks(user, options))
    yield* printList("blocks", { items: blocks, isCut: false }, ["BLOCKED", "REASON", "WHERE", "UNTIL"], (block) => [
      operations[block.blocks] ?? block.blocks,
      reasonOf(block),
      block.only_in_browser ? "one browser" : "everywhere",
      timeText(block.ends_at)
    ])
  }, readOnly)
).pipe(
  Command.withDescription(
    "Lists what a user is blocked from, why and until when: too many wrong passwords or codes, and rate limits that count the user. Times are in UTC."
  ),
  Command.withShortDescription("Lists why a user is blocked, and until when"),
  Command.withExamples([{ command: "sallyport users blocks ada@example.com" }])
)

/** `sallyport users unblock` */
export const usersUnblock = Command.make(
  "unblock",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read, change } = yield* remoteIn(realm)
    const found = yield* read((sallyport, options) => sallyport.users.get(user, {}, options))
    const { blocks } = yield* read((sallyport, options) => sallyport.users.blocks(found.id, options))
    const name = `${visible(found.email ?? found.id)} (${found.id})`
    const inactive =
      found.state === "inactive" ? " The user is inactive: sallyport users activate lets them log in." : ""
    if (blocks.length === 0) return yield* print({ id: found.id, unblocked: [] }, `${name} is not blocked.${inactive}`)
    const count = `${blocks.length} ${blocks.length === 1 ? "block" : "blocks"}`
    const done = `${name} is unblocked: ${count} ended.${inactive}`
    yield* change(done, (sallyport, options) => sallyport.users.unblock(found.id, options))
    yield* print({ id: found.id, unblocked: blocks }, done)
  })
).pipe(
  Command.withDescription(
    "Ends all blocks of a user, so that the user can log in again before they end by themselves. Requires a key of level write."
  ),
  Command.withShortDescription("Ends a user's blocks early"),
  Command.withExamples([{ command: "sallyport users unblock ada@example.com" }])
)
