import { type Admission, makeAdmission } from "./Admission.ts"

/**
 * Limits how many request bodies from unauthenticated senders are received at the same time: in total, so that they fit
 * into memory, and per address. The key is the address.
 */
export const makeBodyAdmission = (name: string): Admission =>
  makeAdmission({ name, concurrency: 512, concurrencyPerKey: 64, queueLimit: 512 })
