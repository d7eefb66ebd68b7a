import type { GivenRealm } from "#testing/Given"
import { withEmailCodes } from "../support/codes.ts"
import type { OperationCoverage } from "./OperationCoverage.ts"

/** Enables emailed codes and sends one to a user, under either version. */
export const emailCode = async (coverage: OperationCoverage, realm: GivenRealm, version: "v1" | "v2", id: string) => {
  await withEmailCodes(realm)
  await coverage.call(realm, `${version}.logins send_code`, 200, { ids: [id], body: {} })
}
