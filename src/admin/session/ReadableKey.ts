import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useSession } from "./SessionState.tsx"
import { sessionTexts } from "./Texts.ts"

/** What the API key's name is made of. */
interface NamedKey {
  readonly name: string | null
  readonly level: string
  readonly realm_id: string | null
}

/** Says how an API key is called: the service itself names the one that it was set up with `root`. */
export const useKeyNames = () => {
  const t = useTexts(sessionTexts)
  return ({ name, level, realm_id }: NamedKey): string | undefined =>
    name === "root" && level === "admin_all_realms" && realm_id === null ? t.rootKey : (name ?? undefined)
}

/** Whether a text can be the ID of an API key. */
export const isKeyId = (text: string): boolean => /^key_[0-9a-z]{26}$/.test(text)

/**
 * An API key by its ID, undefined until it is read, and where it is deleted or beyond the reach of the session. A session of all
 * realms reads it outside of the realm of the page, where keys of all realms are not found.
 */
export const useReadableKey = (id: string) => {
  const { session, may } = useSession()
  const { everywhere } = useScope()
  return useRead(["api_keys", id], (sdk) => (session.realm_id === null ? everywhere : sdk).apiKeys.get(id), {
    enabled: may("admin_realm") && isKeyId(id)
  })
}
