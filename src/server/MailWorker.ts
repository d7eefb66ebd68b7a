import { setPriority } from "node:os"
import process from "node:process"
import { parentPort } from "node:worker_threads"
import {
  lengthOf,
  type MailTemplate,
  type MailValues,
  RENDERED_LENGTH,
  type RenderedMail
} from "#core/mail/MailTemplate"
import { render } from "#core/mail/Rendering"
import { tried } from "#core/mail/RenderingTrial"
import type { WhyUnrenderable } from "#domain/MailTemplate"

/** What the thread is asked: a mail, or without values whether a template would do. */
export interface Task {
  readonly mail: MailTemplate
  readonly values: MailValues | undefined
}

/** What came of a task. */
export type Answer =
  | { readonly _tag: "Rendered"; readonly mail: RenderedMail }
  | { readonly _tag: "Passed" }
  | { readonly _tag: "Unrenderable"; readonly why: WhyUnrenderable }

/** What the thread says: that it is ready, or an answer. `spent`: its time so far, in milliseconds. */
export type Said = { readonly spent: number; readonly answer: Answer | undefined }

/** What other threads of this process come before, where a priority is a thread's own. */
const NICENESS = 10

const spent = (): number => {
  // Releases of Node before 23.9 tell the time of the process alone.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

const answerTo = ({ mail, values }: Task): Answer => {
  try {
    if (values === undefined) {
      const why = tried(mail, spent)
      return why === undefined ? { _tag: "Passed" } : { _tag: "Unrenderable", why }
    }
    const rendered = render(mail, values)
    const isLong = lengthOf(rendered) > RENDERED_LENGTH
    return isLong ? { _tag: "Unrenderable", why: "long" } : { _tag: "Rendered", mail: rendered }
  } catch {
    // What the parsers give up is nested without end.
    return { _tag: "Unrenderable", why: "nested" }
  }
}

const say = (answer: Answer | undefined) => parentPort?.postMessage({ spent: spent(), answer } satisfies Said)

if (process.platform === "linux") {
  try {
    setPriority(NICENESS)
  } catch {
    // A container may forbid it: then the thread is like any other.
  }
}
// The first mail of a thread costs several times what the next ones do.
tried(
  { renderer: "markdown", subject: "{{email}}", template: "# {{email}}\n\n- [a]({{url}}) *b* {{full_name}}\n" },
  spent
)
parentPort?.on("message", (task: Task) => say(answerTo(task)))
say(undefined)
