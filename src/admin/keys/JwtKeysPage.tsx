import { useCallback, useState } from "react"
import type { JwtKey } from "#client/generated/types/JwtKey"
import { useList, useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code, CodeBlock } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { useRequested } from "../ui/Requested.ts"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { keyTexts } from "./Texts.ts"

/** Retires a key, or deletes it immediately. */
const RetireKey = ({ jwtKey, onClose }: { readonly jwtKey: JwtKey; readonly onClose: () => void }) => {
  const t = useTexts(keyTexts)
  const toast = useToast()
  const [force, setForce] = useState(jwtKey.expired)
  return (
    <Confirm
      title={t.retireTitle(jwtKey.id)}
      action={t.retire}
      write={(sdk) => sdk.jwtKeys.delete(jwtKey.id, force ? { force } : {})}
      onClose={onClose}
      onDone={() => {
        toast({ text: force ? t.removed : t.retired })
        onClose()
      }}
    >
      <p>{t.retireText}</p>
      <div className="field checks">
        <label>
          <input
            type="checkbox"
            checked={force}
            disabled={jwtKey.expired}
            onChange={({ target }) => setForce(target.checked)}
          />
          {t.force}
        </label>
      </div>
    </Confirm>
  )
}

/** The keys that sign a realm's tokens. */
export const JwtKeysPage = () => {
  const t = useTexts(keyTexts)
  const toast = useToast()
  const realmId = useRealmId()
  const { may } = useSession()
  const [isRotating, setRotating] = useState(false)
  const openRotation = useCallback(() => setRotating(true), [])
  const [retiring, setRetiring] = useState<JwtKey | undefined>()
  const [shown, setShown] = useState<JwtKey | undefined>()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const list = useList(["jwt_keys"], (sdk, page) => sdk.jwtKeys.list({ ...page, sort: "id" }))
  const algo = realm.data?.jwt_algo ?? "rs256"
  const signing = list.items?.find((key) => !key.expired && key.algo === algo)
  const mayChange = may("admin_realm")
  useRequested("rotate", openRotation)
  const issuer = `${serviceUrl()}/realms/${realmId}`
  const state = (key: JwtKey) => {
    if (key.expired) return <Badge tone="waiting">{t.verifies}</Badge>
    return key === signing ? <Badge tone="good">{t.signs}</Badge> : <Badge>{t.waits}</Badge>
  }
  return (
    <>
      <PageHeader title={t.jwtKeys} lead={t.jwtLead}>
        {mayChange ? (
          <Button kind="primary" onClick={() => setRotating(true)}>
            {t.rotate}
          </Button>
        ) : null}
      </PageHeader>
      {algo === "rs256" ? (
        <Section title={t.verification}>
          <Facts
            facts={[
              [
                t.discovery,
                <Code key="discovery" text={`${issuer}/.well-known/openid-configuration`} label={t.discovery} />
              ],
              [t.jwks, <Code key="jwks" text={`${issuer}/jwks`} label={t.jwks} />]
            ]}
          />
        </Section>
      ) : (
        <p className="note waiting">{t.secretNote}</p>
      )}
      <Listing
        label={t.jwtKeys}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { name: "ID", cell: ({ id }) => <code>{id}</code> },
          { name: t.algorithm, cell: (key) => key.algo.toUpperCase() },
          {
            name: t.use,
            cell: (key) => (
              <>
                {state(key)}
                {key.expired ? <span className="cell-detail">{t.expiresWithinDay}</span> : null}
              </>
            )
          },
          { name: t.created, cell: (key) => <Time at={key.created_at} isRelative /> },
          {
            name: "",
            isRight: true,
            cell: (key) => (
              <span className="row">
                {key.key === null ? null : (
                  <Button small onClick={() => setShown(key)}>
                    {t.show}
                  </Button>
                )}
                {mayChange ? (
                  <Button small onClick={() => setRetiring(key)}>
                    {t.retire}
                  </Button>
                ) : null}
              </span>
            )
          }
        ]}
        empty={null}
      />
      {isRotating ? (
        <Confirm
          title={t.rotateTitle(algo.toUpperCase())}
          action={t.rotate}
          isDanger={false}
          write={(sdk) => sdk.jwtKeys.create({ algo, use: "sign" })}
          onClose={() => setRotating(false)}
          onDone={() => {
            toast({ text: t.rotated })
            setRotating(false)
          }}
        >
          <p>{t.rotateText}</p>
        </Confirm>
      ) : null}
      {retiring === undefined ? null : <RetireKey jwtKey={retiring} onClose={() => setRetiring(undefined)} />}
      {shown?.key === undefined || shown.key === null ? null : (
        <Dialog title={shown.id} onClose={() => setShown(undefined)} isWide>
          <CodeBlock text={shown.key} label={t.publicKey} />
        </Dialog>
      )}
    </>
  )
}
