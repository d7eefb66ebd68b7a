import type { ReactNode } from "react"
import type { Level } from "#domain/Level"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useSession } from "./SessionState.tsx"

/** Renders its children only if the session's key has the required level. Otherwise explains which level is required. */
export const NeedsLevel = ({ level, children }: { readonly level: Level; readonly children: ReactNode }) => {
  const t = useTexts(common)
  const { may } = useSession()
  return may(level) ? children : <p className="note waiting">{t.needsLevel(level)}</p>
}
