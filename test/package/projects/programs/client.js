// An app without types, which calls a service that doesn't exist and decodes a token.
import { ConnectionFailed, decoder, Sallyport } from "sallyport/client"

const sallyport = new Sallyport({ url: "http://127.0.0.1:65535", key: "sk_none", retries: 0 })
const failure = await sallyport.users.get("usr_1").catch((error) => error)
const decode = decoder({ jwtKey: "a-key-of-a-realm-of-more-than-32-bytes" })
console.log(failure instanceof ConnectionFailed, failure.message, await decode("no.token.here"))
