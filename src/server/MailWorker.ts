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
import { validateTemplate } from "#core/mail/RenderingTrial"
import type { RenderFailure } from "#domain/MailTemplate"

/** A task of the thread: to render a mail or, without values, to try whether a template can be rendered. */
export interface Task {
  readonly mail: MailTemplate
  readonly values: MailValues | undefined
}

/** The result of a task. */
export type RenderResult =
  | { readonly _tag: "Rendered"; readonly mail: RenderedMail }
  | { readonly _tag: "Passed" }
  | { readonly _tag: "Unrenderable"; readonly why: RenderFailure }

/** A message of the thread: a result or, without one, that it is ready. `cpuMillis`: the CPU time it has used so far. */
export type WorkerMessage = { readonly cpuMillis: number; readonly result: RenderResult | undefined }

/** The thread's niceness, on systems where each thread has its own: other threads of the process come first. */
const NICENESS = 10

const cpuMillis = (): number => {
  // Node before 23.9 has the CPU time of the process only.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

const run = ({ mail, values }: Task): RenderResult => {
  try {
    if (values === undefined) {
      const why = validateTemplate(mail, cpuMillis)
      return why === undefined ? { _tag: "Passed" } : { _tag: "Unrenderable", why }
    }
    const rendered = render(mail, values)
    const isLong = lengthOf(rendered) > RENDERED_LENGTH
    return isLong ? { _tag: "Unrenderable", why: "long" } : { _tag: "Rendered", mail: rendered }
  } catch {
    // The parsers give up only on input that is nested too deeply.
    return { _tag: "Unrenderable", why: "nested" }
  }
}

const post = (result: RenderResult | undefined) =>
  parentPort?.postMessage({ cpuMillis: cpuMillis(), result } satisfies WorkerMessage)

if (process.platform === "linux") {
  try {
    setPriority(NICENESS)
  } catch {
    // A container may forbid that: then the thread has the priority of any other.
  }
}
// Renders a first template, which takes several times as long as the next ones do.
validateTemplate(
  { renderer: "markdown", subject: "{{email}}", template: "# {{email}}\n\n- [a]({{url}}) *b* {{full_name}}\n" },
  cpuMillis
)
parentPort?.on("message", (task: Task) => post(run(task)))
post(undefined)
