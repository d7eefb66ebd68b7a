import type { ReactNode } from "react"
import type { Level } from "#domain/Level"
import { useNeededText } from "./NeededText.ts"
import { useSession } from "./SessionState.tsx"

/** Renders its children only if the session has the required level. Otherwise explains what is required. */
export const NeedsLevel = ({ level, children }: { readonly level: Level; readonly children: ReactNode }) => {
  const needed = useNeededText()
  const { may } = useSession()
  return may(level) ? children : <p className="note waiting">{needed(level)}</p>
}
