import type { ConnectedApp } from "#domain/ConnectedApp"
import type { User } from "#domain/User"

/** The names that users may not leave blank on their profile: where the app demands names, those that they have (C85). */
export const requiredNames = ({ requireNames }: ConnectedApp, { firstName, lastName }: User): ReadonlySet<string> =>
  new Set(
    requireNames ? [...(firstName === null ? [] : ["first_name"]), ...(lastName === null ? [] : ["last_name"])] : []
  )
