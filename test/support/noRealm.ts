/** The errors for a request that names no realm (C4). */
export const noRealm = ["Realm can't be blank."]
