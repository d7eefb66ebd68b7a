import { type AssuranceLevel, assuranceLevels } from "../Authentication.ts"
import { requestedClaim } from "./RequestedClaim.ts"

/** The level that a client requests for the login. `isEssential`: it accepts no lower level (OpenID Connect Core §5.5.1.1). */
export interface AcrDemand {
  readonly level: AssuranceLevel
  readonly isEssential: boolean
}

const isLevel = (value: unknown): value is AssuranceLevel => assuranceLevels.some((level) => level === value)

/**
 * The level that a request demands by `claims`, or else by `acr_values`, whose first known level counts. Null: none. `unknown`:
 * the request insists on levels that no login here can reach.
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
