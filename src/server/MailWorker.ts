import { setPriority } from "node:os"
import process from "node:process"
import { parentPort } from "node:worker_threads"
import type { Cleaned } from "#core/appearance/Cleaned"
import type { ContentKind } from "#core/appearance/Cleaning"
import {
  lengthOf,
  type MailTemplate,
  type MailValues,
  RENDERED_LENGTH,
  type RenderedMail
} from "#core/mail/MailTemplate"
import { render } from "#core/mail/Rendering"
import { validateTemplate } from "#core/mail/TemplateValidation"
import type { RenderFailure } from "#domain/MailTemplate"

/** A task for the thread: rendering an email, checking that a template can be rendered, or cleaning content from a caller. */
export type Task =
  | { readonly _tag: "Mail"; readonly mail: MailTemplate; readonly values: MailValues }
  | { readonly _tag: "Trial"; readonly mail: MailTemplate }
  | { readonly _tag: "Content"; readonly content: ContentKind; readonly text: string }

/** The result of a task. */
export type RenderResult =
  | { readonly _tag: "Rendered"; readonly mail: RenderedMail }
  | { readonly _tag: "Passed" }
  | Cleaned
  | { readonly _tag: "Unrenderable"; readonly why: RenderFailure }

/**
 * A message from the thread. Without a result, it reports that a task starts now, or that the thread is ready for one.
 * `cpuMillis`: the CPU time used so far.
 */
export type WorkerMessage = { readonly cpuMillis: number; readonly result: RenderResult | undefined }

/** The thread's niceness, on systems where each thread has its own. Other threads of the process take priority. */
const NICENESS = 10

const cpuMillis = (): number => {
  // Before Node 23.9, only the CPU time of the whole process is known.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}

const run = async (task: Task): Promise<RenderResult> => {
  try {
    if (task._tag === "Content") {
      // Loaded on first use: emails don't need the library, and the time to load it is not charged to the realm.
      const { clean } = await import("#core/appearance/Cleaning")
      post(undefined)
      return clean(task.content, task.text)
    }
    if (task._tag === "Trial") {
      const why = validateTemplate(task.mail, cpuMillis)
      return why === undefined ? { _tag: "Passed" } : { _tag: "Unrenderable", why }
    }
    const rendered = render(task.mail, task.values)
    const isLong = lengthOf(rendered) > RENDERED_LENGTH
    return isLong ? { _tag: "Unrenderable", why: "long" } : { _tag: "Rendered", mail: rendered }
  } catch {
    // The parsers fail only on input that is nested too deeply.
    return { _tag: "Unrenderable", why: "nested" }
  }
}

const post = (result: RenderResult | undefined) =>
  parentPort?.postMessage({ cpuMillis: cpuMillis(), result } satisfies WorkerMessage)

if (process.platform === "linux") {
  try {
    setPriority(NICENESS)
  } catch {
    // Containers may forbid this. The thread then has normal priority.
  }
}
// Renders a template in advance, because the first one takes several times as long as later ones.
validateTemplate(
  { renderer: "markdown", subject: "{{email}}", template: "# {{email}}\n\n- [a]({{url}}) *b* {{full_name}}\n" },
  cpuMillis
)
parentPort?.on("message", async (task: Task) => post(await run(task)))
post(undefined)
