import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { usersTexts } from "./Texts.ts"

/** The state of a user, as a badge. */
export const UserState = ({ state }: { readonly state: "active" | "inactive" }) => {
  const t = useTexts(usersTexts)
  return <Badge tone={state === "active" ? "good" : "bad"}>{state === "active" ? t.active : t.inactive}</Badge>
}
