import { Link } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"

/** A user's name, or the ID if the user is deleted. */
export const UserName = ({ id }: { readonly id: string }) => {
  const realmId = useRealmId()
  const user = useRead(["users", id], (sdk) => sdk.users.get(id))
  return <Link href={pathIn(realmId, "users", id)}>{user.data?.name ?? id}</Link>
}

/** An org's name, or the ID if the org is deleted. */
export const OrgName = ({ id }: { readonly id: string }) => {
  const realmId = useRealmId()
  const org = useRead(["orgs", id], (sdk) => sdk.orgs.get(id))
  return <Link href={pathIn(realmId, "orgs", id)}>{org.data?.name ?? id}</Link>
}
