import { type AssuranceLevel, assuranceLevels } from "../Authentication.ts"
import { requestedClaim } from "./RequestedClaim.ts"

/** The level that a client asks of the login. `isEssential`: it does not take less (OpenID Connect Core §5.5.1.1). */
export interface AcrDemand {
  readonly level: AssuranceLevel
  readonly isEssential: boolean
}

const isLevel = (value: unknown): value is AssuranceLevel => assuranceLevels.some((level) => level === value)

/**
 * What a request asks of the login by `claims`, or else by `acr_values`, whose first known level counts. Null: nothing.
 * `unknown`: only levels that no login here has, and no less.
 */
export const acrDemandOf = (
  claims: string | undefined,
  acrValues: string | undefined
): AcrDemand | null | "unknown" => {
  const { isEssential, values } = requestedClaim(claims, "acr")
  const level = values.find(isLevel)
  if (level !== undefined) return { level, isEssential }
  if (isEssential && values.length > 0) return "unknown"
  const voluntary = (acrValues ?? "").split(" ").find(isLevel)
  return voluntary === undefined ? null : { level: voluntary, isEssential: false }
}
