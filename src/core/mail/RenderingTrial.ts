import type { WhyUnrenderable } from "#domain/MailTemplate"
import { lengthOf, type MailTemplate, type MailValues, RENDERED_LENGTH } from "./MailTemplate.ts"
import { render } from "./Rendering.ts"

/** The most time that a template may take of a thread, in milliseconds. */
export const TRIAL_MILLIS = 40

/** How often it is tried at most: the first time costs more than all others. */
const TRIES = 3

/** What the longest values are made of: what markup, an address, and a text part write in as many characters as possible. */
const fillings = ['"', "€", "<a "]

/** Values as long as they come, of nothing but a filling. */
const longest = (filling: string): MailValues => {
  const of = (length: number) => filling.repeat(length / filling.length)
  return {
    email: `${"x".repeat(240)}@example.test`,
    event_at: of(60),
    first_name: of(255),
    full_name: of(511),
    ip: "2001:db8:1111:2222:3333:4444:5555:6666",
    realm_name: of(255),
    token: `tpw:${"x".repeat(96)}`,
    url: `https://${"x".repeat(63)}.example.test/reset?token=${"x".repeat(300)}`,
    username: of(255)
  }
}

const values = fillings.map(longest)

/** What is wrong with a template, tried with long and hostile values; undefined: nothing. `spent`: a thread's time so far. */
export const tried = (mail: MailTemplate, spent: () => number): WhyUnrenderable | undefined => {
  for (const each of values) {
    let least = Number.POSITIVE_INFINITY
    for (let n = 0; n < TRIES && least > TRIAL_MILLIS; n++) {
      const before = spent()
      if (lengthOf(render(mail, each)) > RENDERED_LENGTH) return "long"
      least = Math.min(least, spent() - before)
    }
    if (least > TRIAL_MILLIS) return "slow"
  }
  return undefined
}
