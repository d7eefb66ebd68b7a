import { useState } from "react"
import type { NotificationItem } from "#client/generated/types/NotificationItem"
import { useList, useRead } from "../calls/Reads.ts"
import { DeliveryActions, DeliveryFacts, DeliveryState } from "../events/Deliveries.tsx"
import { eventTexts } from "../events/Texts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { Loading } from "../ui/Loading.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { resultLine, resultText } from "./DeliveryResult.ts"
import { hookTexts } from "./Texts.ts"

/** The polling interval, in milliseconds. */
const REFRESH = 3_000

const states = ["in_progress", "completed", "failed", "canceled"] as const

/** One delivery with its request and response. */
const DeliveryDialog = ({
  delivery,
  onClose
}: {
  readonly delivery: NotificationItem
  readonly onClose: () => void
}) => {
  const t = useTexts(hookTexts)
  const { data, error } = useRead(
    ["hooks", delivery.hook_id, "notifications", delivery.id],
    (sdk) => sdk.notifications.get(delivery.hook_id, delivery.id),
    { every: REFRESH }
  )
  return (
    <Dialog title={delivery.event_type} onClose={onClose} isWide>
      <ProblemNote error={error} />
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <DeliveryFacts delivery={data} />
          {data.request === null ? null : (
            <>
              <h3>{t.request}</h3>
              <p className="faint">{t.requestHelp}</p>
              <CodeBlock text={JSON.stringify(data.request, null, 2)} label={t.request} />
            </>
          )}
          <DeliveryActions eventId={data.event_id} delivery={data} />
        </>
      )}
    </Dialog>
  )
}

/** The deliveries of a hook. */
export const HookDeliveries = ({ hookId }: { readonly hookId: string }) => {
  const t = useTexts(hookTexts)
  const e = useTexts(eventTexts)
  const { language } = useLanguage()
  const [state, setState] = useState<(typeof states)[number] | undefined>()
  const [opened, setOpened] = useState<NotificationItem | undefined>()
  const list = useList(
    ["hooks", hookId, "notifications", state],
    (sdk, page) => sdk.notifications.listOfHook(hookId, { ...page, ...(state === undefined ? {} : { state }) }),
    { every: REFRESH }
  )
  return (
    <Section title={t.deliveries} lead={t.deliveriesLead}>
      <div className="filters">
        <select
          aria-label={t.state}
          value={state ?? ""}
          onChange={({ target }) => setState(states.find((one) => one === target.value))}
        >
          <option value="">{t.anyState}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {one === "in_progress" ? e.inProgress : e.deliveryStates[one]}
            </option>
          ))}
        </select>
      </div>
      <Listing
        label={t.deliveries}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t.event,
            cell: (delivery) => (
              <button type="button" className="link" onClick={() => setOpened(delivery)}>
                <code>{delivery.event_type}</code>
              </button>
            )
          },
          { name: t.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
          { name: t.attempts, cell: ({ attempts }) => attempts },
          {
            name: t.result,
            cell: ({ last_result }) => (
              <span className="clipped">
                {last_result === null ? "–" : resultLine(resultText(language, last_result))}
              </span>
            )
          },
          { name: t.time, cell: ({ event_at }) => <Time at={event_at} isRelative /> },
          {
            name: "",
            isRight: true,
            cell: (delivery) => (
              <Button small onClick={() => setOpened(delivery)}>
                {t.show}
              </Button>
            )
          }
        ]}
        empty={
          <Empty title={t.noDeliveries}>
            <p>{t.noDeliveriesText}</p>
          </Empty>
        }
      />
      {opened === undefined ? null : <DeliveryDialog delivery={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}
