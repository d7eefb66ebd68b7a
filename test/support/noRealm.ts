/** What a request hears that names no realm (C4). */
export const noRealm = ["Realm can't be blank."]
