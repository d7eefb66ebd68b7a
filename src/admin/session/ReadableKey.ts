import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useSession } from "./SessionState.tsx"
import { sessionTexts } from "./Texts.ts"

/** The members that an API key's name depends on. */
interface NamedKey {
  readonly name: string | null
  readonly level: string
  readonly realm_id: string | null
}

/** Returns a function that names API keys. The service's initial key is shown as the root key. */
export const useKeyNames = () => {
  const t = useTexts(sessionTexts)
  return ({ name, level, realm_id }: NamedKey): string | undefined =>
    name === "root" && level === "admin_all_realms" && realm_id === null ? t.rootKey : (name ?? undefined)
}

/** Whether a text has the format of an API key ID. */
export const isKeyId = (text: string): boolean => /^key_[0-9a-z]{26}$/.test(text)

/**
 * Reads an API key by ID. Undefined until it is read, and if it is deleted or not accessible. Sessions for all realms
 * read the key without a realm, because a request for one realm doesn't find keys of all realms.
 */
export const useReadableKey = (id: string) => {
  const { session, may } = useSession()
  const { everywhere } = useScope()
  return useRead(["api_keys", id], (sdk) => (session.realm_id === null ? everywhere : sdk).apiKeys.get(id), {
    enabled: may("admin_realm") && isKeyId(id)
  })
}
