import type { FailingHook } from "#client/generated/types/FailingHook"
import type { Hook } from "#client/generated/types/Hook"
import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { hookTexts } from "./Texts.ts"

/** The polling interval, in milliseconds. */
const REFRESH = 30_000

/**
 * The hooks of the realm with deliveries of the last seven days that failed. Every page shows the same numbers by this rule.
 * Undefined until they are read, and for hooks of all realms.
 */
export const useFailingHooks = (): ReadonlyArray<FailingHook> | undefined => {
  const { realmId = "" } = useScope()
  // The overview reads the same statistics under this key.
  const { data } = useRead(["statistics", "week"], (sdk) => sdk.realms.statistics(realmId, { interval: "day" }), {
    enabled: realmId !== "",
    every: REFRESH
  })
  return data?.failing_hooks
}

/** "2 deliveries failed for good, 1 delivery is being retried", about the last seven days. */
export const FailingText = ({ hook: { failed, retrying } }: { readonly hook: FailingHook }) => {
  const t = useTexts(hookTexts)
  return [failed === 0 ? "" : t.failedPermanently(failed), retrying === 0 ? "" : t.retrying(retrying)]
    .filter((one) => one !== "")
    .join(", ")
}

/** The state of a webhook, as a badge: an active webhook with failed deliveries is failing. */
export const HookState = ({ hook, isFailing }: { readonly hook: Pick<Hook, "state">; readonly isFailing: boolean }) => {
  const t = useTexts(hookTexts)
  if (hook.state !== "active") return <Badge tone="plain">{t.states.inactive}</Badge>
  return <Badge tone={isFailing ? "bad" : "good"}>{isFailing ? t.failing : t.states.active}</Badge>
}
