import { useState } from "react"
import type { Credential } from "#client/generated/types/Credential"
import type { CredentialItem } from "#client/generated/types/CredentialItem"
import type { User } from "#client/generated/types/User"
import { useRead } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { ActionsMenu, type MenuAction } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Item, Items } from "../ui/Items.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { PasswordLinkDialog } from "./PasswordLink.tsx"
import { CodesDialog, PasswordDialog, RenameDialog } from "./SignInDialogs.tsx"
import { signInTexts } from "./SignInTexts.ts"

/** The display name of a login method type. */
const useTypeName = (type: string): string => {
  const names: Readonly<Record<string, string>> = useTexts(signInTexts).types
  return names[type] ?? type
}

/** The details of a login method besides its type. */
const Detail = ({ credential }: { readonly credential: Credential }) => {
  const t = useTexts(signInTexts)
  const { credential_type, codes_left, provider_user_id, backed_up, last_used_at } = credential
  if (codes_left !== undefined) return t.codesLeft(codes_left)
  if (credential_type === "passkey")
    return (
      <>
        <span>{backed_up === true ? t.synced : t.oneDevice}</span>
        <span>
          {last_used_at === null || last_used_at === undefined ? (
            t.neverUsed
          ) : (
            <>
              {t.lastUsed} <Time at={last_used_at} isRelative />
            </>
          )}
        </span>
      </>
    )
  if (provider_user_id === null || provider_user_id === undefined) return null
  return (
    <span>
      {t.accountThere} <code>{provider_user_id}</code>
    </span>
  )
}

type Open = "password" | "rename" | "remove" | "codes"

const Method = ({ user, item }: { readonly user: User; readonly item: CredentialItem }) => {
  const t = useTexts(signInTexts)
  const { may } = useSession()
  const toast = useToast()
  const [open, setOpen] = useState<Open>()
  const { data: credential } = useRead(["credentials", item.id], (sdk) => sdk.credentials.get(item.id), {
    enabled: item.credential_type !== "password"
  })
  const type = useTypeName(item.credential_type)
  const name = credential?.name ?? ""
  const close = () => setOpen(undefined)
  const actions: ReadonlyArray<MenuAction> = [
    ...(item.credential_type === "password" ? [{ text: t.changePassword, onClick: () => setOpen("password") }] : []),
    ...(item.credential_type === "totp" || item.credential_type === "passkey"
      ? [{ text: t.rename, onClick: () => setOpen("rename") }]
      : []),
    ...(item.credential_type === "recovery_codes" ? [{ text: t.newCodes, onClick: () => setOpen("codes") }] : []),
    { text: t.remove, isDanger: true, onClick: () => setOpen("remove") }
  ]
  return (
    <Item
      title={
        <>
          {type}
          {name === "" ? null : <span className="faint">{name}</span>}
          {credential?.state === "new" ? <Badge tone="waiting">{t.waiting}</Badge> : null}
        </>
      }
      detail={credential === undefined ? undefined : <Detail credential={credential} />}
      actions={
        <>
          {may("write") ? <ActionsMenu label={type} actions={actions} /> : null}
          {open === "password" ? <PasswordDialog user={user} title={t.changePassword} onClose={close} /> : null}
          {open === "codes" ? <CodesDialog user={user} onClose={close} /> : null}
          {open === "rename" ? <RenameDialog id={item.id} before={name} onClose={close} /> : null}
          {open === "remove" ? (
            <Confirm
              title={t.removeTitle(name === "" ? type : `${type} “${name}”`, user.name)}
              action={t.remove}
              write={(sdk) => sdk.credentials.delete(item.id)}
              onClose={close}
              onDone={() => {
                toast({ text: t.removed(type) })
                close()
              }}
            >
              {t.removeText}
            </Confirm>
          ) : null}
        </>
      }
    />
  )
}

/** The login methods of a user. */
export const SignInMethods = ({ user }: { readonly user: User }) => {
  const t = useTexts(signInTexts)
  const { may } = useSession()
  const [isSetting, setSetting] = useState(false)
  const hasPassword = user.credentials.some(({ credential_type }) => credential_type === "password")
  const [isLinking, setLinking] = useState(false)
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        may("write") ? (
          <>
            {hasPassword ? null : (
              <Button small onClick={() => setSetting(true)}>
                {t.setPassword}
              </Button>
            )}
            <Button small onClick={() => setLinking(true)} disabled={user.state !== "active"}>
              {t.passwordLink}
            </Button>
          </>
        ) : undefined
      }
    >
      {user.credentials.length === 0 ? (
        <p className="faint">{t.none}</p>
      ) : (
        <Items label={t.title}>
          {user.credentials.map((item) => (
            <Method key={item.id} user={user} item={item} />
          ))}
        </Items>
      )}
      {isSetting ? <PasswordDialog user={user} title={t.setPassword} onClose={() => setSetting(false)} /> : null}
      {isLinking ? <PasswordLinkDialog user={user} onClose={() => setLinking(false)} /> : null}
    </Section>
  )
}
