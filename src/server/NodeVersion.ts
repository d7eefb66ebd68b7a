/** The oldest release of Node that the service and its packages run on. Also stated in `docs/guides/production.md`. */
const OLDEST = { major: 22, minor: 19 }

/** The oldest release that the client runs on (C128). */
const OLDEST_OF_CLIENT = "20.16"

/** Explains why a release of Node can't run the service, and what it can run. Returns undefined if it can run the service. */
export const nodeRefusal = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isRecentEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)
  return isRecentEnough
    ? undefined
    : `Sallyport needs Node ${OLDEST.major}.${OLDEST.minor} or later; this is ${version}. Install a later one, or let npx download one: npx -p node@24 sallyport. Its client, sallyport/client, runs on Node ${OLDEST_OF_CLIENT} or later.`
}
