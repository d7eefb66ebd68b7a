import { createContext, useContext } from "react"
import { browserTime } from "../texts/BrowserTime.ts"
import { useLanguage } from "../texts/Language.tsx"

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats a relative time such as "3 minutes ago". Returns undefined for times more than a week away. */
const relative = (seconds: number, language: string): string | undefined => {
  const away = seconds - browserTime() / 1000
  const size = Math.abs(away)
  if (size >= 7 * DAY) return undefined
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
  if (size < MINUTE) return format.format(0, "second")
  if (size < HOUR) return format.format(Math.round(away / MINUTE), "minute")
  if (size < DAY) return format.format(Math.round(away / HOUR), "hour")
  return format.format(Math.round(away / DAY), "day")
}

/** Formats a time to the second, with its year only if that isn't the current one. */
const exact = (date: Date, language: string): string =>
  new Intl.DateTimeFormat(language, {
    month: "short",
    day: "numeric",
    ...(date.getFullYear() === new Date(browserTime()).getFullYear() ? {} : { year: "numeric" }),
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit"
  }).format(date)

/** Whether the service's clock matches the browser's. If it doesn't, relative times would be wrong. */
export const SameClock = createContext(true)

interface TimeProps {
  /** In Unix seconds. */
  readonly at: number
  /** Whether times within a week are shown as relative. */
  readonly isRelative?: boolean
  /** Whether seconds are shown, as in logs. */
  readonly hasSeconds?: boolean
}

/** A point in time, in the user's language and time zone. */
export const Time = ({ at, isRelative = false, hasSeconds = false }: TimeProps) => {
  const { language } = useLanguage()
  const isSame = useContext(SameClock)
  const date = new Date(at * 1000)
  const absolute = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date)
  const text = hasSeconds ? exact(date, language) : isRelative && isSame ? relative(at, language) : undefined
  return (
    <time dateTime={date.toISOString()} title={`${absolute} (${date.toISOString()})`}>
      {text ?? absolute}
    </time>
  )
}
