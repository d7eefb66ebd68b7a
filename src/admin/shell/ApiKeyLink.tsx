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
  const { api_key: ownKey } = session
  const own = id === ownKey?.id ? nameOf({ ...session, name: ownKey.name }) : undefined
  return own === undefined ? <code>{id}</code> : own
}
