// Runs once after an installation, so that the first start finds an image of the embedded database. Everything is imported
// inside `try`. If something is missing, the installation continues, and the first start builds the image.
try {
  const [Effect, Reactivity, { readMigrations }, { imageOf }] = await Promise.all([
    import("effect/Effect"),
    import("effect/reactivity/Reactivity"),
    import("./MigrationFiles.ts"),
    import("./PgliteImage.ts")
  ])
  await readMigrations().pipe(
    Effect.flatMap(imageOf),
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )
} catch (cause) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  console.warn(
    `The first start will take a few seconds longer: the image of the embedded database could not be built (${reason})`
  )
}

export {}
