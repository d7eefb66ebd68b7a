import type { UserItem } from "#client/generated/types/UserItem"
import { useTexts } from "../texts/Language.tsx"
import { signInTexts } from "./SignInTexts.ts"
import { usersTexts } from "./Texts.ts"

/** The first orgs of a listed user, and how many others there are. */
export const UserOrgNames = ({ user: { orgs = [], membership_count: count = 0 } }: { readonly user: UserItem }) => {
  const t = useTexts(usersTexts)
  const [first] = orgs
  if (first === undefined) return <span className="faint">{count === 0 ? "–" : t.moreOrgs(count)}</span>
  return (
    <span title={orgs.map(({ name }) => name).join(", ")}>
      {first.name}
      {count > 1 ? <span className="faint"> {t.moreOrgs(count - 1)}</span> : null}
    </span>
  )
}

const strong = ["passkey", "totp"] as const

/** The passkey or authenticator app of a listed user. */
export const SecondFactor = ({ user: { credentials = [] } }: { readonly user: UserItem }) => {
  const s = useTexts(signInTexts)
  const types = strong.filter((type) => credentials.some(({ credential_type }) => credential_type === type))
  if (types.length === 0) return <span className="faint">–</span>
  return <>{types.map((type) => s.types[type]).join(", ")}</>
}
