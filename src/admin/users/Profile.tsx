import { useState } from "react"
import type { User } from "#client/generated/types/User"
import { useHasDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { localeName } from "../texts/LocaleName.ts"
import { useAct } from "../ui/Act.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Code, CodeBlock } from "../ui/Copy.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { ProfileForm } from "./ProfileForm.tsx"
import { usersTexts } from "./Texts.ts"
import { userTexts } from "./UserTexts.ts"

const Email = ({ user: { email, email_verification } }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const tones = { verified: "good", requested: "waiting", none: "plain" } as const
  const words = { verified: t.verified, requested: t.requested, none: t.unverified }
  return (
    <span className="row">
      {email}
      <Badge tone={tones[email_verification]}>{words[email_verification]}</Badge>
    </span>
  )
}

const PendingEmail = ({ user: { id, email_pending } }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const { may } = useSession()
  const act = useAct()
  const cancel = () => act({ write: (sdk) => sdk.users.update(id, { email_pending: null }), text: t.pendingCanceled })
  return (
    <span className="row">
      <span>
        {email_pending} <span className="faint">({t.pendingNote})</span>
      </span>
      {may("write") ? (
        <Button small onClick={() => void cancel()}>
          {t.cancelPending}
        </Button>
      ) : null}
    </span>
  )
}

/** The profile of a user. */
export const Profile = ({ user }: { readonly user: User }) => {
  const t = useTexts(userTexts)
  const u = useTexts(usersTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const { may } = useSession()
  const [isEditing, setEditing] = useState(useHasDraft("profile"))
  if (isEditing)
    return (
      <Section title={t.profile}>
        <ProfileForm user={user} onClose={() => setEditing(false)} />
      </Section>
    )
  const { id, email_pending, first_name, last_name, username, locale, reference, custom } = user
  const hasCustom = Object.keys(custom).length > 0
  return (
    <Section
      title={t.profile}
      actions={
        may("write") ? (
          <Button small onClick={() => setEditing(true)}>
            {c.edit}
          </Button>
        ) : undefined
      }
    >
      <Facts
        facts={[
          [t.email, <Email key="email" user={user} />],
          [t.pendingEmail, email_pending === null ? undefined : <PendingEmail key="pending" user={user} />],
          [u.firstName, first_name ?? undefined],
          [u.lastName, last_name ?? undefined],
          [u.username, username ?? undefined],
          [t.locale, locale === null ? undefined : localeName(locale, language)],
          [u.reference, reference === null ? undefined : <Code key="reference" text={reference} label={u.reference} />],
          [t.id, <Code key="id" text={id} label={t.id} />],
          [u.created, <Time key="created" at={user.created_at} />],
          [
            u.lastLogin,
            user.last_login_at === null ? c.never : <Time key="login" at={user.last_login_at} isRelative />
          ],
          [c.custom, hasCustom ? <CodeBlock key="custom" text={JSON.stringify(custom, null, 2)} /> : undefined]
        ]}
      />
    </Section>
  )
}
