import type { NotificationItem, NotificationWithRequest } from "#api/notifications/V2"
import type { DeliveryWithRequest } from "#core/hooks/Notifications"
import type { DeliveryOfEvent } from "#domain/Delivery"
import { ACCOUNT } from "#domain/Ids"
import { notificationBody } from "../events/Bodies.ts"
import { timeT } from "../WireMapping.ts"

/** A notification in a list. */
export const notificationItem = (delivery: DeliveryOfEvent): typeof NotificationItem.Type => ({
  ...notificationBody(delivery),
  realm_id: delivery.realmId === ACCOUNT ? null : delivery.realmId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  event_at: timeT(delivery.eventAt)
})

/** A notification with the request that was sent. */
export const notificationWithRequest = ({
  delivery,
  request
}: DeliveryWithRequest): typeof NotificationWithRequest.Type => ({
  ...notificationItem(delivery),
  request: request === null ? null : { method: "POST", ...request }
})
