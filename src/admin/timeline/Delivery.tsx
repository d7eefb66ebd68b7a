import type { EventItem } from "#client/generated/types/EventItem"
import type { Notification } from "#client/generated/types/Notification"
import { resultText } from "../hooks/DeliveryResult.ts"
import { useMailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { MailboxLink } from "../ui/Mailbox.tsx"
import { Time } from "../ui/Time.tsx"
import { conditionOf } from "./DeliveryCondition.ts"
import { timelineTexts } from "./Texts.ts"

/** The outcome of an email or webhook delivery, as a sentence. */
const Outcome = ({ notification }: { readonly notification: Notification }) => {
  const t = useTexts(timelineTexts)
  const { session } = useSession()
  const ofMail = useMailText()
  const { state, hook_type, attempts, last_destination, next_attempt_at } = notification
  if (state === "completed") {
    const destination = last_destination ?? "…"
    if (hook_type === "webhook") return t.webhookSent(destination)
    return (
      <>
        {ofMail(t.mailDone)(destination)} <MailboxLink email={last_destination ?? undefined} />
      </>
    )
  }
  if (state === "failed") return t.failedPermanently(attempts)
  if (state === "canceled") return t.canceled
  if (!session.service.deliveries) return t.held
  if (attempts === 0) return t.waitingFirst
  if (conditionOf(notification) === "waiting") return t.sending
  return (
    <>
      {t.waitingAgain(attempts)}
      {next_attempt_at === null ? null : (
        <>
          {" "}
          <Time at={next_attempt_at} isRelative />
        </>
      )}
      .
    </>
  )
}

const tones = {
  completed: "delivery",
  failing: "delivery waiting",
  waiting: "delivery",
  failed: "delivery bad",
  canceled: "delivery"
} as const

/** An email or webhook delivery of an event: its state and, if it failed, the reason. */
export const Delivery = ({
  event,
  notification
}: {
  readonly event: EventItem
  readonly notification: Notification
}) => {
  const t = useTexts(timelineTexts)
  const { language } = useLanguage()
  const { may } = useSession()
  const act = useAct()
  const { state, hook_type, last_result, last_destination } = notification
  const condition = conditionOf(notification)
  return (
    <div className={tones[condition]}>
      <p>
        <strong>{hook_type === "email" ? t.mail : t.webhook}</strong>
        {state === "completed" || last_destination === null ? null : ` ${t.to} ${last_destination}`}
        {". "}
        <Outcome notification={notification} />
      </p>
      {(condition === "failed" || condition === "failing") && last_result !== null ? (
        <>
          <span>{t.answer}</span>
          <pre className="delivery-answer">{resultText(language, last_result)}</pre>
        </>
      ) : null}
      {(state === "failed" || state === "canceled") && may("admin_realm") ? (
        <div>
          <Button
            small
            onClick={() =>
              void act({
                write: (sdk) => sdk.events.retry(event.id, notification.id),
                text: t.retried,
                changes: [["events"]]
              })
            }
          >
            {t.retry}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

const conditions = ["completed", "failing", "waiting", "failed", "canceled"] as const

/** The webhook deliveries of an event in one line, such as "2 webhooks: 1 delivered, 1 retrying", which opens on demand. */
export const Webhooks = ({ event }: { readonly event: EventItem }) => {
  const t = useTexts(timelineTexts)
  const webhooks = (event.notifications ?? []).filter(({ hook_type }) => hook_type === "webhook")
  if (webhooks.length === 0) return null
  const states = webhooks.map(conditionOf)
  const counts = conditions
    .map((condition) => [condition, states.filter((one) => one === condition).length] as const)
    .filter(([, count]) => count > 0)
  const tone = states.includes("failed") ? "bad" : states.includes("failing") ? "waiting" : "plain"
  return (
    <details className={`deliveries ${tone}`}>
      <summary>
        {t.webhooks(webhooks.length)}: {counts.map(([condition, count]) => t.conditions[condition](count)).join(", ")}
      </summary>
      {webhooks.map((notification) => (
        <Delivery key={notification.id} event={event} notification={notification} />
      ))}
    </details>
  )
}
