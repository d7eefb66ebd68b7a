import { Link } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"

/** A user by name; by ID where they have been deleted. */
export const UserName = ({ id }: { readonly id: string }) => {
  const realmId = useRealmId()
  const user = useRead(["users", id], (sdk) => sdk.users.get(id))
  return <Link href={pathIn(realmId, "users", id)}>{user.data?.name ?? id}</Link>
}

/** An org by name; by ID where it has been deleted. */
export const OrgName = ({ id }: { readonly id: string }) => {
  const realmId = useRealmId()
  const org = useRead(["orgs", id], (sdk) => sdk.orgs.get(id))
  return <Link href={pathIn(realmId, "orgs", id)}>{org.data?.name ?? id}</Link>
}
