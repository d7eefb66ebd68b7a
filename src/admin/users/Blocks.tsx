import { LockKeyhole } from "lucide-react"
import type { User } from "#client/generated/types/User"
import type { UserBlock } from "#client/generated/types/UserBlock"
import { useRead } from "../calls/Reads.ts"
import { realmTexts } from "../realms/Texts.ts"
import { useSession } from "../session/SessionState.tsx"
import { browserTime } from "../texts/BrowserTime.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { useMailActions } from "./MailActions.tsx"
import { userTexts } from "./UserTexts.ts"

/** How often the blocks are read again, in milliseconds, so that the page shows when they end. */
const EVERY = 15_000

const useBlocks = (userId: string): ReadonlyArray<UserBlock> =>
  useRead(["users", userId, "blocks"], (sdk) => sdk.users.blocks(userId), { every: EVERY }).data?.blocks ?? []

/** Returns the end of a block as a time of day if it is today, or else with its date; and its hour on a 24-hour clock. */
const useEnd = () => {
  const { language } = useLanguage()
  return (seconds: number): readonly [text: string, hour: number] => {
    const end = new Date(seconds * 1000)
    const isToday = end.toDateString() === new Date(browserTime()).toDateString()
    const format = new Intl.DateTimeFormat(language, {
      timeStyle: "short",
      ...(isToday ? {} : { dateStyle: "medium" })
    })
    return [format.format(end), end.getHours()]
  }
}

/** Until when a user can't log in, as a badge. */
export const BlockedBadge = ({ userId }: { readonly userId: string }) => {
  const t = useTexts(userTexts)
  const endOf = useEnd()
  const logins = useBlocks(userId).filter(({ blocks }) => blocks !== "email" && blocks !== "device_code")
  const everywhere = logins.filter(({ only_in_browser }) => !only_in_browser)
  const [first, ...others] = (everywhere.length > 0 ? everywhere : logins).map(({ ends_at }) => ends_at)
  if (first === undefined) return null
  const end = endOf(Math.max(first, ...others))
  return (
    <Badge tone={everywhere.length > 0 ? "bad" : "waiting"}>
      {everywhere.length > 0 ? t.blockedUntil(...end) : t.blockedInBrowser(...end)}
    </Badge>
  )
}

/** Why a user is blocked and until when, with a button that ends all blocks. */
export const BlockNote = ({ user }: { readonly user: User }) => {
  const { id, name } = user
  const t = useTexts(userTexts)
  const limitNames: Readonly<Record<string, string>> = useTexts(realmTexts).limitFields
  const endOf = useEnd()
  const { may } = useSession()
  const act = useAct()
  const blocks = useBlocks(id)
  const [reset] = useMailActions(user)
  if (blocks.length === 0) return null
  // Users are mostly blocked because they forgot their password.
  const unblocked = () => ({
    text: t.unblocked(name),
    ...(reset === undefined || reset.disabled === true || user.email === null ? {} : { action: reset })
  })
  const operations: Readonly<Record<string, string>> = t.blockedOperations
  const reasonOf = ({ limit }: UserBlock) =>
    limit === null ? t.failedAttempts : t.limitReached(limitNames[limit] ?? limit)
  return (
    <section className="note waiting block-note" aria-label={t.blocksTitle(name)}>
      <LockKeyhole aria-hidden />
      <div>
        <strong>{t.blocksTitle(name)}</strong>
        <ul>
          {blocks.map((block) => (
            <li key={`${block.blocks} ${block.limit} ${block.only_in_browser} ${block.ends_at}`}>
              {[
                `${operations[block.blocks] ?? block.blocks}: ${reasonOf(block)}`,
                ...(block.only_in_browser ? [t.inOneBrowser] : []),
                t.until(...endOf(block.ends_at))
              ].join(", ")}
            </li>
          ))}
        </ul>
      </div>
      {may("help") ? (
        <Button onClick={() => void act({ write: (sdk) => sdk.users.unblock(id), text: unblocked })}>
          {t.unblock}
        </Button>
      ) : null}
    </section>
  )
}
