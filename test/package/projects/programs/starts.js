// Prints how long the kit takes to load and to start, in milliseconds.
const began = performance.now()
const { start } = await import("sallyport/testing/promise")
const loaded = performance.now()
const first = await start()
const times = { loading: loaded - began, first: performance.now() - loaded, further: [] }
for (let count = 0; count < 3; count++) {
  const before = performance.now()
  const service = await start()
  times.further.push(performance.now() - before)
  await service.stop()
}
await first.stop()
console.log(JSON.stringify(times))
