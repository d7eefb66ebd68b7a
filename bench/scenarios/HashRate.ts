import { hash, verify } from "@node-rs/argon2"

// Verifies passwords with the service's concurrency and no other work. Prints a `HashRate`.
const [seconds = "3", atOnce = "1"] = process.argv.slice(2)

const password = "correct horse battery"
const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

let verified = 0
const cpuBefore = process.cpuUsage()
const began = performance.now()
const worker = async () => {
  while (performance.now() - began < Number(seconds) * 1_000) {
    await verify(stored, password)
    verified++
  }
}
await Promise.all(Array.from({ length: Number(atOnce) }, worker))
const elapsed = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage(cpuBefore)
console.log(
  JSON.stringify({
    perSecond: verified / elapsed,
    userMillis: user / 1_000 / verified,
    systemMillis: system / 1_000 / verified
  })
)
