import type { Notification } from "#client/generated/types/Notification"

/** The state of a delivery as a support person sees it: a delivery that is retried after a failure is failing. */
export const conditionOf = ({ state, last_result }: Pick<Notification, "state" | "last_result">) =>
  state === "in_progress" ? (last_result === null ? "waiting" : "failing") : state
