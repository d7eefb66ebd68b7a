import type { Notification } from "#client/generated/types/Notification"
import { useWrite } from "../calls/Writes.ts"
import { resultText } from "../hooks/DeliveryResult.ts"
import { useMailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { conditionOf } from "../timeline/DeliveryCondition.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Facts } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { eventTexts } from "./Texts.ts"

const tones = { waiting: "plain", failing: "waiting", completed: "good", failed: "bad", canceled: "plain" } as const

/** The state of a delivery, as a badge. */
export const DeliveryState = ({
  delivery
}: {
  readonly delivery: Pick<Notification, "hook_type" | "state" | "last_result">
}) => {
  const t = useTexts(eventTexts)
  const condition = conditionOf(delivery)
  const ofMail = useMailText()
  const isMail = delivery.hook_type === "email" && condition === "completed"
  return <Badge tone={tones[condition]}>{isMail ? ofMail(t.mailDone) : t.deliveryStates[condition]}</Badge>
}

/** Cancels a pending delivery, or resends any other. */
export const DeliveryActions = ({
  eventId,
  delivery
}: {
  readonly eventId: string
  readonly delivery: Pick<Notification, "id" | "state">
}) => {
  const t = useTexts(eventTexts)
  const toast = useToast()
  const { may } = useSession()
  const retry = useWrite((sdk) => sdk.events.retry(eventId, delivery.id), { onDone: () => toast({ text: t.retried }) })
  const cancel = useWrite((sdk) => sdk.events.cancel(eventId, delivery.id), {
    onDone: () => toast({ text: t.canceled })
  })
  if (!may("admin_realm")) return null
  return (
    <div className="row">
      {delivery.state === "in_progress" ? (
        <Button small onClick={() => cancel.mutate()} pending={cancel.isPending}>
          {t.cancel}
        </Button>
      ) : (
        <Button small onClick={() => retry.mutate()} pending={retry.isPending}>
          {t.retry}
        </Button>
      )}
      <ProblemNote error={retry.error ?? cancel.error} />
    </div>
  )
}

/** The details of a delivery. */
export const DeliveryFacts = ({ delivery }: { readonly delivery: Notification }) => {
  const t = useTexts(eventTexts)
  const { language } = useLanguage()
  return (
    <Facts
      facts={[
        [delivery.hook_type === "email" ? t.email : t.webhook, <DeliveryState key="state" delivery={delivery} />],
        [
          t.attempts(delivery.attempts),
          delivery.last_attempt_at === null ? t.noAttempt : <Time key="last" at={delivery.last_attempt_at} isRelative />
        ],
        [t.next, delivery.next_attempt_at === null ? undefined : <Time key="next" at={delivery.next_attempt_at} />],
        [t.destination, delivery.last_destination ?? undefined],
        [
          t.response,
          delivery.last_result === null ? undefined : (
            <span key="result">{resultText(language, delivery.last_result)}</span>
          )
        ]
      ]}
    />
  )
}
