import { useContext } from "react"
import { browserTime } from "../texts/BrowserTime.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { SameClock, Time } from "../ui/Time.tsx"
import { keyTexts } from "./Texts.ts"

/** The seconds before the expiry in which a key is marked: two weeks. */
const SOON = 14 * 24 * 3600

/** When a key expires. Marks keys that expired or expire soon. */
export const Expiry = ({ at }: { readonly at: number | null }) => {
  const t = useTexts(keyTexts)
  const isSameClock = useContext(SameClock)
  if (at === null) return <span className="faint">{t.never}</span>
  const left = at - browserTime() / 1000
  const isMarked = isSameClock && left < SOON
  return (
    <span className="row">
      <Time at={at} isRelative={isMarked} />
      {isMarked ? <Badge tone={left < 0 ? "bad" : "waiting"}>{left < 0 ? t.expired : t.expiresSoon}</Badge> : null}
    </span>
  )
}
