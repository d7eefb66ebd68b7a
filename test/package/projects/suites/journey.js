import { Sallyport } from "sallyport/client"

/** The steps of an app's test: a realm, a password login, an email with a working link, and a webhook. */
export const journey = async (service) => {
  const admin = new Sallyport({ url: service.url, key: service.key })
  const realm = await admin.realms.create({ name: "Acme", jwt_algo: "hs256" })
  const sallyport = new Sallyport({ url: service.url, key: service.key, realmId: realm.id })
  const destination = "https://app.example.com/events"
  await sallyport.hooks.create({ destination, event_type: "user.created" })
  await sallyport.clientApps.create({ name: "Notebook", login_handler: "http://localhost:4000/callback" })
  const password = "correct horse battery staple"
  const ada = await sallyport.users.create({ email: "ada@example.com", password, email_verification: "requested" })
  const session = await sallyport.logins.authenticate(ada.id, { password })
  await service.advance(0)
  const [mail] = service.inbox("ada@example.com")
  const page = await service.fetch(mail.links[0])
  const [delivery] = service.deliveries(destination)
  return { login: session.user.email, page: page.status, event: JSON.parse(delivery.body).event_type }
}
