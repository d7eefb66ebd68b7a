import { lazy } from "react"

/** The chart library is loaded only when a chart is shown. */
export const Chart = lazy(async () => ({ default: (await import("./Chart.tsx")).Chart }))
