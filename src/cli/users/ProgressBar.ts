import { count, duration, numeral } from "./Messages.ts"

/** The progress of a transfer. */
export interface Progress {
  /** The number of users processed in this run. */
  readonly done: number
  /** The duration of this run, in seconds. */
  readonly seconds: number
  /** The completed share from 0 to 1, and the share at the start of this run. Undefined if unknown. */
  readonly share: number | undefined
  readonly shareBefore: number
  /** The number of users processed in this run and in earlier runs. */
  readonly total: number
  readonly refused: number
}

/** Users per second. */
export const rateOf = ({ done, seconds }: Pick<Progress, "done" | "seconds">): number =>
  seconds <= 0 ? 0 : done / seconds

/** Estimates the remaining seconds. Returns undefined if unknown. */
export const secondsLeft = ({ share, shareBefore, seconds }: Progress): number | undefined => {
  if (share === undefined || share - shareBefore <= 0 || seconds < 1) return undefined
  return (seconds * (1 - share)) / (share - shareBefore)
}

const percentOf = (share: number): number => Math.min(100, Math.floor(share * 100))

/** The known facts about a progress. */
const facts = (progress: Progress): ReadonlyArray<string> => {
  const left = secondsLeft(progress)
  return [
    count(progress.total, "user"),
    `${numeral(Math.round(rateOf(progress)))}/s`,
    ...(progress.refused === 0 ? [] : [`${numeral(progress.refused)} rejected`]),
    ...(left === undefined ? [] : [`${duration(Math.ceil(left))} left`])
  ]
}

/** The filled part of a bar, in steps of an eighth of a character. */
const barOf = (share: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const full = "█".repeat(Math.floor(eighths / 8))
  const part = eighths % 8 === 0 ? "" : ("▏▎▍▌▋▊▉"[(eighths % 8) - 1] ?? "")
  return (full + part).padEnd(width, "░")
}

const MAX_BAR_WIDTH = 30
const MIN_BAR_WIDTH = 5

/** A progress line for a terminal of the given width, with a bar if the share is known and there is room. */
export const progressLine = (verb: string, progress: Progress, columns: number): string => {
  const { share } = progress
  const after = facts(progress).join(" · ")
  if (share === undefined) return `${verb}  ${after}`.slice(0, columns - 1)
  const percent = `${percentOf(share)} %`.padStart(5)
  const room = columns - 1 - verb.length - percent.length - after.length - 5
  const bar = room < MIN_BAR_WIDTH ? "" : `  ${barOf(share, Math.min(MAX_BAR_WIDTH, room))}`
  return `${verb}${bar} ${percent}  ${after}`.slice(0, columns - 1)
}

/** A progress line for a log. */
export const progressSentence = (progress: Progress): string => {
  const [users = "", ...others] = facts(progress)
  const percent = progress.share === undefined ? "" : ` (${percentOf(progress.share)} %)`
  return [users + percent, ...others].join(", ")
}

/** Formats the progress as JSON. */
export const progressJson = (progress: Progress) => ({
  object: "progress",
  users: progress.total,
  refused: progress.refused,
  per_second: Math.round(rateOf(progress)),
  share: progress.share === undefined ? null : Math.round(progress.share * 10_000) / 10_000,
  seconds_left: secondsLeft(progress) === undefined ? null : Math.round(secondsLeft(progress) ?? 0)
})
