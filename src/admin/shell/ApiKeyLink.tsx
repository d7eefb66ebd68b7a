import { Link } from "wouter"
import { useKeyNames, useReadableKey } from "../session/ReadableKey.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathOfKey } from "./Paths.ts"

/** An API key by name, with a link to it; by ID where it is deleted or beyond the reach of the session. */
export const ApiKeyLink = ({ id }: { readonly id: string }) => {
  const { session } = useSession()
  const nameOf = useKeyNames()
  const { data } = useReadableKey(id)
  if (data !== undefined) return <Link href={pathOfKey(data)}>{nameOf(data)}</Link>
  const own = id === session.api_key.id ? nameOf({ ...session, name: session.api_key.name }) : undefined
  return own === undefined ? <code>{id}</code> : own
}
