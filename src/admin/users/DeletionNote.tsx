import { CalendarX2 } from "lucide-react"
import type { User } from "#client/generated/types/User"
import { useSession } from "../session/SessionState.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { userTexts } from "./UserTexts.ts"

/** When the account will be deleted because the user asked for it, with a button that cancels the deletion. */
export const DeletionNote = ({ user: { id, name, deletion_at: at } }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const { language } = useLanguage()
  const { may } = useSession()
  const act = useAct()
  if (at === null) return null
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" })
  const title = t.deletionTitle(format.format(new Date(at * 1000)))
  return (
    <section className="note waiting block-note" aria-label={title}>
      <CalendarX2 aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{t.deletionLead(name)}</p>
      </div>
      {may("help") ? (
        <Button
          onClick={() => void act({ write: (sdk) => sdk.users.cancelDeletion(id), text: t.deletionCanceled(name) })}
        >
          {t.cancelDeletion}
        </Button>
      ) : null}
    </section>
  )
}
