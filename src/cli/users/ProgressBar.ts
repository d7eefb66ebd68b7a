import { count, duration, numeral } from "./Sentences.ts"

/** How far a transfer has come. */
export interface Progress {
  /** Users that are done in this run. */
  readonly done: number
  /** How long this run has taken, in seconds. */
  readonly seconds: number
  /** Which part of all is done, between 0 and 1, and which part was done when this run began; undefined if nobody knows. */
  readonly share: number | undefined
  readonly shareBefore: number
  /** All users that are done, those of earlier runs as well. */
  readonly total: number
  readonly refused: number
}

/** Users a second. */
export const rateOf = ({ done, seconds }: Pick<Progress, "done" | "seconds">): number =>
  seconds <= 0 ? 0 : done / seconds

/** How many seconds are left at the rate so far; undefined if nobody can know. */
export const secondsLeft = ({ share, shareBefore, seconds }: Progress): number | undefined => {
  if (share === undefined || share - shareBefore <= 0 || seconds < 1) return undefined
  return (seconds * (1 - share)) / (share - shareBefore)
}

const percentOf = (share: number): number => Math.min(100, Math.floor(share * 100))

/** The facts of a progress, those that are known. */
const facts = (progress: Progress): ReadonlyArray<string> => {
  const left = secondsLeft(progress)
  return [
    count(progress.total, "user"),
    `${numeral(Math.round(rateOf(progress)))}/s`,
    ...(progress.refused === 0 ? [] : [`${numeral(progress.refused)} refused`]),
    ...(left === undefined ? [] : [`${duration(Math.ceil(left))} left`])
  ]
}

/** The parts of a bar that are full, with eighths of a character. */
const barOf = (share: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  const full = "█".repeat(Math.floor(eighths / 8))
  const part = eighths % 8 === 0 ? "" : ("▏▎▍▌▋▊▉"[(eighths % 8) - 1] ?? "")
  return (full + part).padEnd(width, "░")
}

const MAX_BAR_WIDTH = 30
const MIN_BAR_WIDTH = 5

/** A line for a terminal of so many columns: a bar, where the share is known and there is room for one. */
export const progressLine = (verb: string, progress: Progress, columns: number): string => {
  const { share } = progress
  const after = facts(progress).join(" · ")
  if (share === undefined) return `${verb}  ${after}`.slice(0, columns - 1)
  const percent = `${percentOf(share)} %`.padStart(5)
  const room = columns - 1 - verb.length - percent.length - after.length - 5
  const bar = room < MIN_BAR_WIDTH ? "" : `  ${barOf(share, Math.min(MAX_BAR_WIDTH, room))}`
  return `${verb}${bar} ${percent}  ${after}`.slice(0, columns - 1)
}

/** A line for a log. */
export const progressSentence = (progress: Progress): string => {
  const [users = "", ...others] = facts(progress)
  const percent = progress.share === undefined ? "" : ` (${percentOf(progress.share)} %)`
  return [users + percent, ...others].join(", ")
}

/** The same for programs. */
export const progressJson = (progress: Progress) => ({
  object: "progress",
  users: progress.total,
  refused: progress.refused,
  per_second: Math.round(rateOf(progress)),
  share: progress.share === undefined ? null : Math.round(progress.share * 10_000) / 10_000,
  seconds_left: secondsLeft(progress) === undefined ? null : Math.round(secondsLeft(progress) ?? 0)
})
