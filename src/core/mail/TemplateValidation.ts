import type { RenderFailure } from "#domain/MailTemplate"
import { lengthOf, type MailTemplate, type MailValues, RENDERED_LENGTH } from "./MailTemplate.ts"
import { render } from "./Rendering.ts"

/** The maximum CPU time for rendering a template, in milliseconds. */
export const MAX_RENDER_MILLIS = 40

/** The maximum number of runs to measure. The first run is the slowest. */
const ATTEMPTS = 3

/** The texts that become longest when they are encoded: as markup, in a URL, and in a text part. */
const fillings = ['"', "€", "<a "]

/** Makes the longest possible values by repeating a text. */
const longestValues = (filling: string): MailValues => {
  const of = (length: number) => filling.repeat(length / filling.length)
  return {
    app_name: of(255),
    code: "123456",
    deletion_at: of(60),
    email: `${"x".repeat(240)}@example.test`,
    event_at: of(60),
    expires_in: of(60),
    first_name: of(255),
    full_name: of(511),
    inviter_name: of(255),
    ip: "2001:db8:1111:2222:3333:4444:5555:6666",
    org_name: of(255),
    realm_name: of(255),
    token: `tpw:${"x".repeat(96)}`,
    url: `https://${"x".repeat(63)}.example.test/reset?token=${"x".repeat(300)}`,
    username: of(255)
  }
}

const values = fillings.map(longestValues)

/** Validates a template with long and hostile values. `cpuMillis` returns the CPU time that the thread has used so far. */
export const validateTemplate = (mail: MailTemplate, cpuMillis: () => number): RenderFailure | undefined => {
  for (const each of values) {
    let fastest = Number.POSITIVE_INFINITY
    for (let n = 0; n < ATTEMPTS && fastest > MAX_RENDER_MILLIS; n++) {
      const before = cpuMillis()
      if (lengthOf(render(mail, each)) > RENDERED_LENGTH) return "long"
      fastest = Math.min(fastest, cpuMillis() - before)
    }
    if (fastest > MAX_RENDER_MILLIS) return "slow"
  }
  return undefined
}
