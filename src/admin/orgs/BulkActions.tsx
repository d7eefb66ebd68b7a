import { useState } from "react"
import type { OrgItem } from "#client/generated/types/OrgItem"
import { BulkConfirm } from "../bulk/BulkConfirm.tsx"
import { useBulk } from "../bulk/BulkProvider.tsx"
import type { BulkAction, BulkItem } from "../bulk/Runs.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import type { Selection } from "../ui/Selection.ts"
import { orgsTexts } from "./Texts.ts"

/** The actions on selected orgs. Changes that can be reverted start at once and offer an undo. */
export const OrgBulkActions = ({ selection }: { readonly selection: Selection<OrgItem> }) => {
  const t = useTexts(orgsTexts)
  const { language } = useLanguage()
  const realmId = useRealmId()
  const { start } = useBulk()
  const [open, setOpen] = useState<"close" | "delete">()
  const number = (count: number) => count.toLocaleString(language)
  const orgs = selection.items
  const count = number(orgs.length)
  const begin = (texts: Bulk, run: (org: OrgItem) => BulkItem["run"]) => {
    const action: BulkAction = {
      items: orgs.map((org) => ({ id: org.id, name: org.name, path: pathIn(realmId, "orgs", org.id), run: run(org) })),
      running: (done, total) => texts.running(number(done), number(total)),
      done: (done) => texts.done(number(done))
    }
    selection.clear()
    start(action)
  }
  const setState = (state: "active" | "inactive") =>
    begin(state === "active" ? t.bulk.activate : t.bulk.deactivate, (org) => async (sdk) => {
      if (org.state === state) return undefined
      await sdk.orgs.update(org.id, { state })
      return (again) => again.orgs.update(org.id, { state: org.state })
    })
  const remove = (force: boolean) =>
    begin(force ? t.bulk.delete : t.bulk.close, (org) => async (sdk) => {
      await sdk.orgs.delete(org.id, force ? { force } : undefined)
      return undefined
    })
  const isAny = (state: string) => orgs.some((org) => org.state === state)
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
      {isAny("active") || isAny("inactive") ? (
        <Button small onClick={() => setOpen("close")}>
          {t.close}
        </Button>
      ) : null}
      <Button small kind="danger" onClick={() => setOpen("delete")}>
        {t.bulk.deleteAction}
      </Button>
      {open === undefined ? null : (
        <BulkConfirm
          title={t.bulk[open].title(count)}
          action={open === "close" ? t.close : t.bulk.deleteAction}
          typed={count}
          onConfirm={() => remove(open === "delete")}
          onClose={() => setOpen(undefined)}
        >
          {t.bulk[open].text}
        </BulkConfirm>
      )}
    </>
  )
}

/** The messages of an action on several orgs. */
interface Bulk {
  readonly running: (done: string, total: string) => string
  readonly done: (count: string) => string
}
