import { useState } from "react"
import { useLocation } from "wouter"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useWrite } from "../calls/Writes.ts"
import { useSession } from "../session/SessionState.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code } from "../ui/Copy.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { resultLine, resultText } from "./DeliveryResult.ts"
import { FailingText, HookState, useFailingHooks } from "./Failing.tsx"
import { HookDeliveries } from "./HookDeliveries.tsx"
import { HookSettings } from "./HookSettings.tsx"
import { hooksPath } from "./HooksPage.tsx"
import { ReplayDialog } from "./ReplayDialog.tsx"
import { hookTexts } from "./Texts.ts"

/** A webhook with its deliveries, settings and secret. */
export const HookPage = ({ hookId = "" }: { readonly hookId?: string }) => {
  const t = useTexts(hookTexts)
  const { language } = useLanguage()
  const toast = useToast()
  const { realmId } = useScope()
  const { may } = useSession()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<"replay" | "delete" | undefined>()
  const { data: hook, error, refetch } = useRead(["hooks", hookId], (sdk) => sdk.hooks.get(hookId))
  const failing = useFailingHooks()
  const ping = useWrite((sdk) => sdk.hooks.ping(hookId), {
    changes: [["hooks", hookId]],
    onDone: ({ state, result }) =>
      toast({ text: state === "completed" ? t.pinged : `${t.pingFailed}: ${resultText(language, result ?? "")}` })
  })
  const activate = useWrite((sdk) => sdk.hooks.update(hookId, { state: "active" }), {
    onDone: () => toast({ text: t.activated })
  })
  const deactivate = useWrite((sdk) => sdk.hooks.update(hookId, { state: "inactive" }), {
    onDone: () => toast({ text: t.deactivated, undo: () => activate.mutate() })
  })
  if (isMissing(error)) return <MissingPage />
  if (hook === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  if (hook.hook_type !== "webhook") return <MissingPage />
  const problem = failing?.find(({ hook_id }) => hook_id === hookId)
  const isActive = hook.state === "active"
  return (
    <>
      <PageHeader
        title={hook.destination ?? hook.id}
        above={[{ text: t.hooks, to: hooksPath(realmId) }]}
        beside={<HookState hook={hook} isFailing={problem !== undefined} />}
        lead={<Code text={hook.id} label="ID" />}
      >
        {may("admin_realm") ? (
          <>
            <Button onClick={() => ping.mutate()} pending={ping.isPending}>
              {t.ping}
            </Button>
            <Button onClick={() => setOpen("replay")}>{t.replay}</Button>
            <ActionsMenu
              actions={[
                isActive
                  ? { text: t.deactivate, onClick: () => deactivate.mutate() }
                  : { text: t.activate, onClick: () => activate.mutate() },
                { text: t.delete, isDanger: true, onClick: () => setOpen("delete") }
              ]}
            />
          </>
        ) : null}
      </PageHeader>
      <ProblemNote error={ping.error ?? activate.error ?? deactivate.error} />
      {problem === undefined ? null : (
        <p className="note waiting">
          {t.lastWeek} <FailingText hook={problem} />
          {problem.last_result === null ? null : ` · ${resultLine(resultText(language, problem.last_result))}`}
        </p>
      )}
      <HookDeliveries hookId={hookId} />
      <HookSettings hook={hook} />
      {open === "replay" ? <ReplayDialog hookId={hookId} onClose={() => setOpen(undefined)} /> : null}
      {open === "delete" ? (
        <Confirm
          title={t.deleteTitle}
          action={t.delete}
          write={(sdk) => sdk.hooks.delete(hookId)}
          changes={[["hooks", "webhook"]]}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            toast({ text: t.deleted })
            navigate(hooksPath(realmId))
          }}
        >
          <p>{t.deleteText}</p>
          <Code text={hook.destination ?? hook.id} label={t.destination} />
        </Confirm>
      ) : null}
    </>
  )
}
