import { useCallback, useState } from "react"
import { Link, useSearchParams } from "wouter"
import type { ApiKey } from "#client/generated/types/ApiKey"
import { isMissing } from "../calls/Problems.ts"
import { useList } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { consolePath } from "../calls/ServiceUrls.ts"
import { useNeededText } from "../session/NeededText.ts"
import { isKeyId, useKeyNames, useReadableKey } from "../session/ReadableKey.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code } from "../ui/Copy.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { useRequested } from "../ui/Requested.ts"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { CreateKeyDialog } from "./CreateKeyDialog.tsx"
import { Expiry } from "./Expiry.tsx"
import { keyTexts } from "./Texts.ts"

/** The API keys of a realm, or of all realms. */
export const ApiKeysPage = () => {
  const t = useTexts(keyTexts)
  const toast = useToast()
  const { realmId } = useScope()
  const { session, may } = useSession()
  const needed = useNeededText()
  const [isCreating, setCreating] = useState(false)
  const openCreation = useCallback(() => setCreating(true), [])
  const [deleting, setDeleting] = useState<ApiKey | undefined>()
  const nameOf = useKeyNames()
  const [search] = useSearchParams()
  const requestedId = search.get("id") ?? ""
  const keyId = isKeyId(requestedId) ? requestedId : ""
  const all = useList(["api_keys"], (sdk, page) => sdk.apiKeys.list(page), {
    enabled: may("admin_realm") && keyId === ""
  })
  const one = useReadableKey(keyId)
  const list =
    keyId === ""
      ? all
      : {
          items: isMissing(one.error) ? [] : one.data === undefined ? undefined : [one.data],
          error: isMissing(one.error) ? null : one.error,
          more: false,
          isLoadingMore: false,
          loadMore: () => {},
          reload: () => void one.refetch()
        }
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  )
  useRequested("create", openCreation)
  if (!may("admin_realm"))
    return <PageHeader title={t.apiKeys} lead={session.operator === null ? t.needsRealmAdmin : needed("admin_realm")} />
  return (
    <>
      <PageHeader title={t.apiKeys} lead={t.apiKeysLead}>
        {create}
      </PageHeader>
      {keyId === "" ? null : (
        <p>
          <Link href={realmId === undefined ? "/api-keys" : pathIn(realmId, "api-keys")}>{t.showAll}</Link>
        </p>
      )}
      <Listing
        label={t.apiKeys}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t.name,
            cell: (key) => (
              <>
                <span className="row">
                  <strong>{nameOf(key)}</strong>
                  {key.id === session.api_key?.id ? <Badge tone="good">{t.thisKey}</Badge> : null}
                </span>
                <Code text={key.id} label="ID" />
              </>
            )
          },
          {
            name: `${t.level} · ${t.realm}`,
            cell: ({ level, realm_id }) => (
              <>
                <code>{level}</code>
                <br />
                {realm_id === null ? t.allRealms : <code className="faint">{realm_id}</code>}
              </>
            )
          },
          {
            name: t.lastUsed,
            cell: (key) => (key.last_used_at === null ? t.never : <Time at={key.last_used_at} isRelative />)
          },
          { name: t.expires, cell: (key) => <Expiry at={key.expires_at} /> },
          {
            name: "",
            isRight: true,
            cell: (key) => (
              <ActionsMenu
                label={nameOf(key) ?? key.id}
                actions={[{ text: t.delete, isDanger: true, onClick: () => setDeleting(key) }]}
              />
            )
          }
        ]}
        empty={
          keyId === "" ? (
            <Empty title={t.emptyTitle} action={create}>
              <p>{t.emptyText}</p>
            </Empty>
          ) : (
            <p className="faint">{t.noSuchKey}</p>
          )
        }
      />
      {isCreating ? <CreateKeyDialog realmId={realmId} onClose={() => setCreating(false)} /> : null}
      {deleting === undefined ? null : (
        <Confirm
          title={t.deleteTitle(deleting.name)}
          action={t.delete}
          write={(sdk) => sdk.apiKeys.delete(deleting.id)}
          onClose={() => setDeleting(undefined)}
          onDone={() => {
            toast({ text: t.deleted(deleting.name) })
            if (deleting.id === session.api_key?.id) window.location.assign(consolePath)
            setDeleting(undefined)
          }}
        >
          <p>{t.deleteText}</p>
          {deleting.id === session.api_key?.id ? <p className="note waiting">{t.deleteOwn}</p> : null}
        </Confirm>
      )}
    </>
  )
}
