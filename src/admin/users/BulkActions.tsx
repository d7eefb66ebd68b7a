import { useState } from "react"
import type { UserItem } from "#client/generated/types/UserItem"
import { BulkConfirm } from "../bulk/BulkConfirm.tsx"
import { useBulk } from "../bulk/BulkProvider.tsx"
import type { BulkAction, BulkItem } from "../bulk/Runs.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import type { Selection } from "../ui/Selection.ts"
import { AddToOrgDialog } from "./AddToOrgDialog.tsx"
import { usersTexts } from "./Texts.ts"

/** The actions on selected users. Changes that can be reverted start at once and offer an undo. */
export const UserBulkActions = ({ selection }: { readonly selection: Selection<UserItem> }) => {
  const t = useTexts(usersTexts)
  const { language } = useLanguage()
  const realmId = useRealmId()
  const { start } = useBulk()
  const [open, setOpen] = useState<"sessions" | "delete" | "org">()
  const number = (count: number) => count.toLocaleString(language)
  const users = selection.items
  const count = number(users.length)
  const close = () => setOpen(undefined)
  const itemsWith = (run: (user: UserItem) => BulkItem["run"]): ReadonlyArray<BulkItem> =>
    users.map((user) => ({ id: user.id, name: user.name, path: pathIn(realmId, "users", user.id), run: run(user) }))
  const begin = (action: BulkAction) => {
    selection.clear()
    start(action)
  }
  const setState = (state: "active" | "inactive") =>
    begin({
      items: itemsWith((user) => async (sdk) => {
        if (user.state === state) return undefined
        await sdk.users.update(user.id, { state })
        return (again) => again.users.update(user.id, { state: user.state })
      }),
      running: (done, total) =>
        (state === "active" ? t.bulkActivating : t.bulkDeactivating)(number(done), number(total)),
      done: (done) => (state === "active" ? t.bulkActivated : t.bulkDeactivated)(number(done))
    })
  const endSessions = () =>
    begin({
      items: itemsWith((user) => async (sdk) => {
        await sdk.users.endSessions(user.id)
        return undefined
      }),
      running: (done, total) => t.bulkEnding(number(done), number(total)),
      done: (done) => t.bulkEnded(number(done))
    })
  const remove = () =>
    begin({
      items: itemsWith((user) => async (sdk) => {
        await sdk.users.delete(user.id)
        return undefined
      }),
      running: (done, total) => t.bulkDeleting(number(done), number(total)),
      done: (done) => t.bulkDeleted(number(done))
    })
  const isAny = (state: UserItem["state"]) => users.some((user) => user.state === state)
  return (
    <>
      {isAny("active") ? (
        <Button small onClick={() => setState("inactive")}>
          {t.deactivate}
        </Button>
      ) : null}
      {isAny("inactive") ? (
        <Button small onClick={() => setState("active")}>
          {t.activate}
        </Button>
      ) : null}
      <Button small onClick={() => setOpen("org")}>
        {t.bulkAdd}
      </Button>
      <Button small onClick={() => setOpen("sessions")}>
        {t.bulkEndSessions}
      </Button>
      <Button small kind="danger" onClick={() => setOpen("delete")}>
        {t.delete}
      </Button>
      {open === "org" ? (
        <AddToOrgDialog
          title={t.bulkAddTitle(count)}
          onClose={close}
          onAdd={(org, permissions) => {
            close()
            begin({
              items: itemsWith((user) => async (sdk) => {
                const membership = await sdk.memberships.create({ user_id: user.id, org_id: org.id, permissions })
                return (again) => again.memberships.delete(membership.id)
              }),
              running: (done, total) => t.bulkAdding(number(done), number(total)),
              done: (done) => t.bulkAdded(number(done), org.text)
            })
          }}
        />
      ) : null}
      {open === "sessions" ? (
        <BulkConfirm title={t.bulkEndTitle(count)} action={t.bulkEndSessions} onConfirm={endSessions} onClose={close}>
          {t.bulkEndText}
        </BulkConfirm>
      ) : null}
      {open === "delete" ? (
        <BulkConfirm
          title={t.bulkDeleteTitle(count)}
          action={t.delete}
          typed={count}
          onConfirm={remove}
          onClose={close}
        >
          {t.bulkDeleteText}
        </BulkConfirm>
      ) : null}
    </>
  )
}
