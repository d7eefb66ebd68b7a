// Prints how long the kit takes to load and to start, in milliseconds: elapsed time and CPU time.
const taken = async (work) => {
  const [began, usage] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(usage)
  return { time: performance.now() - began, cpu: (user + system) / 1_000 }
}

const services = []
let start
const first = await taken(async () => {
  start = (await import("sallyport/testing/promise")).start
  services.push(await start())
})
const further = []
for (let count = 0; count < 3; count++) further.push(await taken(async () => services.push(await start())))
await Promise.all(services.map((service) => service.stop()))
console.log(JSON.stringify({ first, further }))
