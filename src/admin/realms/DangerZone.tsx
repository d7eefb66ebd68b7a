import { useState } from "react"
import { useLocation } from "wouter"
import type { Realm } from "#client/generated/types/Realm"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { realmTexts } from "./Texts.ts"

const parts = ["users", "orgs", "auth_providers", "app_hooks", "login_policies"] as const

type Parts = Readonly<Record<(typeof parts)[number], boolean>>

const initialParts: Parts = { users: true, orgs: true, auth_providers: false, app_hooks: false, login_policies: false }

/** The destructive actions: resetting and deleting a realm. */
export const DangerZone = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(realmTexts)
  const toast = useToast()
  const { may } = useSession()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<"reset" | "delete" | undefined>()
  const [chosen, setChosen] = useState(initialParts)
  if (!may("admin_realm")) return null
  return (
    <Section title={t.danger}>
      <div className="row">
        <Button onClick={() => setOpen("reset")}>{t.reset}</Button>
        {may("admin_all_realms") ? (
          <Button kind="danger" onClick={() => setOpen("delete")}>
            {t.delete}
          </Button>
        ) : null}
      </div>
      {open === "reset" ? (
        <Confirm
          title={t.resetTitle(realm.name)}
          action={t.reset}
          typed={realm.name}
          write={(sdk) => sdk.realms.reset(realm.id, chosen)}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined)
            toast({ text: t.resetDone(realm.name) })
          }}
        >
          <p>{t.resetText}</p>
          <div className="field checks">
            {parts.map((part) => (
              <label key={part}>
                <input
                  type="checkbox"
                  checked={chosen[part]}
                  onChange={({ target }) => setChosen({ ...chosen, [part]: target.checked })}
                />
                {t.resetParts[part]}
              </label>
            ))}
          </div>
        </Confirm>
      ) : null}
      {open === "delete" ? (
        <Confirm
          title={t.deleteTitle(realm.name)}
          action={t.delete}
          typed={realm.name}
          write={(sdk) => sdk.realms.delete(realm.id)}
          changes={[]}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            toast({ text: t.deleted(realm.name) })
            navigate("/realms")
          }}
        >
          <p>{t.deleteText}</p>
        </Confirm>
      ) : null}
    </Section>
  )
}
