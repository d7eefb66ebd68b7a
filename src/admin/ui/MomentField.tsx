import type { ReactNode } from "react"
import { TextField } from "./Fields.tsx"

const two = (number: number): string => String(number).padStart(2, "0")

/** Formats Unix seconds for a datetime-local input. Returns a blank text if there is no time. */
export const momentText = (at: number | null | undefined): string => {
  if (at === null || at === undefined) return ""
  const date = new Date(at * 1000)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Parses the value of a datetime-local input to Unix seconds. Returns null if it is blank. */
export const momentOf = (text: string): number | null => {
  const millis = new Date(text).getTime()
  return Number.isNaN(millis) ? null : millis / 1000
}

interface MomentFieldProps {
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A date and time field in the user's time zone. */
export const MomentField = (props: MomentFieldProps) => <TextField {...props} type="datetime-local" isOptional />
