// An app without types, which calls a service that doesn't exist, decodes a token and starts a login.
import { ConnectionFailed, decoder, Sallyport } from "sallyport/client"
import { hostedLogin } from "sallyport/client/next"

const [url, key] = ["http://127.0.0.1:65535", "sk_none"]
const sallyport = new Sallyport({ url, key, retries: 0 })
const failure = await sallyport.users.get("usr_1").catch((error) => error)
const decode = decoder({ jwtKey: "a-key-of-a-realm-of-more-than-32-bytes" })
const login = hostedLogin({ url, key, app: "lpl_none", log: () => undefined })
const { status } = await login.handlers.GET(new Request("http://localhost:4000/auth/login"))
console.log(failure instanceof ConnectionFailed, failure.message, await decode("no.token.here"), status)
