import { Link } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { pathIn } from "../shell/Paths.ts"

/** A realm's name, which links to the realm. A realm that can't be read, such as a deleted one, has its ID. */
export const RealmName = ({ id }: { readonly id: string }) => {
  const { data } = useRead(["realms", id], (sdk) => sdk.realms.get(id))
  return data === undefined ? (
    <code>{id}</code>
  ) : (
    <Link href={pathIn(id)} title={id}>
      {data.name}
    </Link>
  )
}
