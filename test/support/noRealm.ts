/** What a request hears that names no realm (C4). */
export const noRealm = [
  "Realm can't be blank.",
  "Name the realm by realm_id in the query or the body, or by the header X-Service-Realm."
]
