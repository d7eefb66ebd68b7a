import { Link } from "wouter"
import { useKeyNames, useReadableKey } from "../session/ReadableKey.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathOfKey } from "./Paths.ts"

/** A link to an API key, showing its name, or its ID if the key is deleted or not accessible. */
export const ApiKeyLink = ({ id }: { readonly id: string }) => {
  const { session } = useSession()
  const nameOf = useKeyNames()
  const { data } = useReadableKey(id)
  if (data !== undefined) return <Link href={pathOfKey(data)}>{nameOf(data)}</Link>
  const own = id === session.api_key.id ? nameOf({ ...session, name: session.api_key.name }) : undefined
  return own === undefined ? <code>{id}</code> : own
}
