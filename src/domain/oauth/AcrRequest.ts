import { type AssuranceLevel, assuranceLevels } from "../Authentication.ts"
import { requestedClaim } from "./RequestedClaim.ts"

/**
 * The assurance level a client requests for a login. If `isEssential`, it accepts no lower level
 * (OpenID Connect Core §5.5.1.1).
 */
export interface AcrRequest {
  readonly level: AssuranceLevel
  readonly isEssential: boolean
}

const isLevel = (value: unknown): value is AssuranceLevel => assuranceLevels.some((level) => level === value)

/**
 * The assurance level requested by `claims`, or else the first known level in `acr_values`. Null if none is requested.
 * `unknown` if the client accepts only levels that no login here can reach.
 */
export const acrRequestOf = (
  claims: string | undefined,
  acrValues: string | undefined
): AcrRequest | null | "unknown" => {
  const { isEssential, values } = requestedClaim(claims, "acr")
  const level = values.find(isLevel)
  if (level !== undefined) return { level, isEssential }
  if (isEssential && values.length > 0) return "unknown"
  const voluntary = (acrValues ?? "").split(" ").find(isLevel)
  return voluntary === undefined ? null : { level: voluntary, isEssential: false }
}
