// The mail thread loads this file: what it imports would be loaded at each of its starts.
import type { CredentialType } from "./Credential.ts"

/** The changes of login methods that their owner is told of by mail (C152). */
export const accountNotices = [
  "password_changed",
  "password_reset",
  "passkey_added",
  "passkey_removed",
  "second_factor_added",
  "second_factor_removed",
  "recovery_codes_created",
  "provider_linked",
  "provider_unlinked"
] as const

export type AccountNotice = (typeof accountNotices)[number]

/** The name of the default mail that tells of a change. */
export type AccountMail = `account.${AccountNotice}`

/** The default mail that tells of a change. */
export const accountMail = (notice: AccountNotice): AccountMail => `account.${notice}`

/** The default mails that tell of changes of login methods. */
export const accountMails: ReadonlyArray<AccountMail> = accountNotices.map(accountMail)

/** Whether a default mail tells of a change of login methods. */
export const isAccountMail = (name: string): name is AccountMail => accountMails.some((mail) => mail === name)

type Change = "added" | "removed"

type Told = Partial<Readonly<Record<Change, AccountNotice>>>

const linked: Told = { added: "provider_linked", removed: "provider_unlinked" }

/** What the owner is told of a credential that is new or gone. An API key is no person's. */
const notices: Readonly<Record<CredentialType, Told>> = {
  api_key: {},
  password: { added: "password_changed" },
  totp: { added: "second_factor_added", removed: "second_factor_removed" },
  recovery_codes: { added: "recovery_codes_created" },
  passkey: { added: "passkey_added", removed: "passkey_removed" },
  facebook: linked,
  github: linked,
  google: linked,
  linkedin: linked,
  oauth2: linked,
  slack: linked,
  yahoo: linked
}

/** What the owner of a credential is told of its change. Undefined: nothing. */
export const noticeOf = (type: CredentialType, change: Change): AccountNotice | undefined => notices[type][change]
