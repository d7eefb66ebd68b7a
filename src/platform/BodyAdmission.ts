import { type Admission, makeAdmission } from "./Admission.ts"

/**
 * Bounds how many bodies arrive at once from senders whom nobody knows yet: altogether, so that they fit into memory, and from one
 * address. Keyed by the address.
 */
export const makeBodyAdmission = (name: string): Admission =>
  makeAdmission({ name, concurrency: 512, concurrencyPerKey: 64, queueLimit: 512 })
