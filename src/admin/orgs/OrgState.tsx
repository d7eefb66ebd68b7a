import type { OrgItem } from "#client/generated/types/OrgItem"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { orgsTexts } from "./Texts.ts"

const tones = { active: "good", inactive: "waiting", closed: "bad" } as const

/** The state of an org, as a badge. */
export const OrgState = ({ state }: { readonly state: OrgItem["state"] }) => {
  const t = useTexts(orgsTexts)
  return <Badge tone={tones[state]}>{t.states[state]}</Badge>
}
