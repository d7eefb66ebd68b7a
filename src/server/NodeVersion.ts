/** The oldest release of Node that the service and the packages it uses run on. `docs/guides/production.md` names it, too. */
const OLDEST = { major: 22, minor: 19 }

/** Why a release of Node can't run the service, in one sentence; undefined if it can. */
export const nodeRefusal = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isRecentEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)
  return isRecentEnough
    ? undefined
    : `Sallyport needs Node ${OLDEST.major}.${OLDEST.minor} or later; this is ${version}.`
}
