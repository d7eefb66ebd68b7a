import type { Level } from "#domain/Level"
import { lowestRole } from "#domain/OperatorRole"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useSession } from "./SessionState.tsx"

/** Returns a function that names what an action requires: the level of a key, or the role of an operator. */
export const useNeededText = () => {
  const t = useTexts(common)
  const { session } = useSession()
  return (level: Level): string =>
    session.operator === null ? t.needsLevel(level) : t.needsRole[lowestRole(level, false)]
}
