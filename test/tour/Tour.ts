import type { Given } from "#testing/Given"
import { apiKeys, authProviders, connectedApps, events, grants, hooks, jwtKeys, notifications } from "./BothVersions.ts"
import { startExternalStub } from "./ExternalStub.ts"
import { hostedLogin } from "./HostedLogin.ts"
import { OperationCoverage } from "./OperationCoverage.ts"
import { version1 } from "./Version1.ts"
import { version2 } from "./Version2.ts"

/**
 * Calls every operation of a service once. Returns the operations called and the deviations from the documentation.
 * `tell` is called with a line for each operation.
 */
export const tour = async (given: Given, tell: (line: string) => void): Promise<OperationCoverage> => {
  const coverage = new OperationCoverage(tell)
  const stub = await startExternalStub()
  try {
    const realm = await given.realm({ name: "Tour" })
    await version2(coverage, given, realm, stub)
    await connectedApps(coverage, realm, "v2")
    await jwtKeys(coverage, realm, "v2")
    await hooks(coverage, realm, "v2", stub)
    await authProviders(coverage, realm, "v2", stub)
    await apiKeys(coverage, realm, "v2")
    await grants(coverage, realm, "v2")
    await events(coverage, realm, "v2")
    await notifications(coverage, given, stub)
    await version1(coverage, given, realm, stub)
    await authProviders(coverage, realm, "v1", stub)
    await apiKeys(coverage, realm, "v1")
    await grants(coverage, realm, "v1")
    await events(coverage, realm, "v1")
    await hostedLogin(coverage, given, stub)
    await given.root.delete(`/v2/realms/${realm.id}`)
  } catch (error) {
    coverage.problems.push(error instanceof Error ? error.message : String(error))
  } finally {
    stub.close()
  }
  return coverage
}
