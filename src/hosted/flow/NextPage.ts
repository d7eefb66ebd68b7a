import type { LoggedIn } from "#domain/Login"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { AppRequest } from "../RequestShell.ts"

/** How many orgs a user who has just logged in has to choose among: none where users choose no org. */
export const orgsToChoose = ({ context: { realm } }: AppRequest, { login }: LoggedIn): number =>
  realm.orgMode === "multi_user" ? login.memberships.filter(({ org }) => org !== null).length : 0

/** The page at which a login continues before the app: the one that asked for it, or the choice among several orgs. */
export const nextPage = ({ next, ...rest }: FlowParams, orgs: number): string | undefined => {
  if (next !== undefined) return pageUrl(next, rest)
  return orgs > 1 ? pageUrl("accounts", rest) : undefined
}
