import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { usersTexts } from "./Texts.ts"

/** When an account will be deleted because its user asked for it, as a badge. */
export const DeletesOn = ({ at }: { readonly at: number | null | undefined }) => {
  const t = useTexts(usersTexts)
  const { language } = useLanguage()
  if (at === null || at === undefined) return null
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(at * 1000)
  return <Badge tone="waiting">{t.deletesOn(date)}</Badge>
}

/** The state of a user, as a badge. */
export const UserState = ({ state }: { readonly state: "active" | "inactive" }) => {
  const t = useTexts(usersTexts)
  return <Badge tone={state === "active" ? "good" : "bad"}>{state === "active" ? t.active : t.inactive}</Badge>
}
