import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, test } from "vitest"
import { USER } from "../../build/Container.ts"
import { commands, imageEnvironment, problemsOf, read, readDocuments, root } from "./Files.ts"

const folder = "deploy/kubernetes"

const KEY = "a-key-of-more-than-thirty-two-characters"

const Labels = Schema.Record(Schema.String, Schema.String)
const Selector = Schema.Struct({ matchLabels: Labels })
const Port = Schema.Struct({ name: Schema.String, containerPort: Schema.Number })

const HttpProbe = Schema.Struct({ httpGet: Schema.Struct({ path: Schema.String, port: Schema.String }) })

const Container = Schema.Struct({
  name: Schema.String,
  image: Schema.String,
  args: Schema.Array(Schema.String),
  env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  envFrom: Schema.optional(Schema.Array(Schema.Struct({ configMapRef: Schema.Struct({ name: Schema.String }) }))),
  ports: Schema.optional(Schema.Array(Port)),
  volumeMounts: Schema.Array(Schema.Struct({ name: Schema.String, mountPath: Schema.String })),
  securityContext: Schema.Unknown,
  resources: Schema.Struct({ requests: Labels, limits: Schema.Struct({ memory: Schema.String }) }),
  startupProbe: Schema.optional(HttpProbe),
  readinessProbe: Schema.optional(HttpProbe),
  livenessProbe: Schema.optional(HttpProbe)
})

const Deployment = Schema.Struct({
  metadata: Schema.Struct({ name: Schema.String, labels: Labels }),
  spec: Schema.Struct({
    selector: Selector,
    template: Schema.Struct({
      metadata: Schema.Struct({ labels: Labels }),
      spec: Schema.Struct({
        terminationGracePeriodSeconds: Schema.Number,
        securityContext: Schema.Struct({
          runAsNonRoot: Schema.Boolean,
          runAsUser: Schema.Number,
          seccompProfile: Schema.Struct({ type: Schema.String })
        }),
        topologySpreadConstraints: Schema.Array(Schema.Struct({ labelSelector: Selector })),
        initContainers: Schema.Array(Container),
        containers: Schema.Array(Container),
        volumes: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            secret: Schema.optional(
              Schema.Struct({
                secretName: Schema.String,
                items: Schema.Array(Schema.Struct({ key: Schema.String, path: Schema.String }))
              })
            )
          })
        )
      })
    })
  })
})

const Kustomization = Schema.Struct({
  namespace: Schema.String,
  resources: Schema.Array(Schema.String),
  images: Schema.Array(Schema.Struct({ name: Schema.String, newTag: Schema.String }))
})

const Resource = Schema.Struct({ apiVersion: Schema.String, kind: Schema.String, metadata: Schema.Unknown })

const decode = <S extends Schema.Decoder<unknown>>(schema: S, file: string): S["Type"] =>
  Schema.decodeUnknownSync(schema)(readDocuments(`${folder}/${file}`)[0])

const kustomization = decode(Kustomization, "kustomization.yaml")
const deployment = decode(Deployment, "deployment.yaml")
const pod = deployment.spec.template.spec
const { labels } = deployment.spec.template.metadata
const containers = [...pod.initContainers, ...pod.containers]

const ConfigMap = Schema.Struct({ metadata: Schema.Struct({ name: Schema.String }), data: Labels })
const settings = decode(ConfigMap, "settings.yaml")

/** The values of a member anywhere in a document. */
const valuesOf = (document: unknown, name: string): ReadonlyArray<unknown> => {
  if (typeof document !== "object" || document === null) return []
  return Object.entries(document).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(value, name)
  ])
}

describe("the Kubernetes manifests", () => {
  test("are all listed, with optional manifests as comments, and define one resource each", () => {
    const optional = [...read(`${folder}/kustomization.yaml`).matchAll(/^ {2}# - (\S+)$/gm)].map(
      ([, name = ""]) => name
    )
    expect(optional.length).toBeGreaterThan(0)
    const files = readdirSync(join(root, folder)).filter((name) => name !== "kustomization.yaml")
    expect([...kustomization.resources, ...optional].toSorted()).toEqual(files.toSorted())
    for (const name of files) {
      const documents = readDocuments(`${folder}/${name}`)
      expect(documents, name).toHaveLength(1)
      expect(Schema.is(Resource)(documents[0]), name).toBe(true)
    }
  })

  test("run existing commands of the program, from the named image", () => {
    const [image] = kustomization.images
    const { version } = JSON.parse(read("package.json")) as { readonly version: string }
    expect(image?.newTag).toBe(version)
    for (const { name, image: used, args } of containers) {
      expect(used, name).toBe(image?.name)
      expect(commands).toContain(args[0])
    }
  })

  test("give each container valid settings, with secrets from mounted files", async () => {
    const secret = pod.volumes.flatMap((volume) => volume.secret ?? [])[0]
    const keys = secret?.items.map(({ path }) => path) ?? []
    const setUp = read(`${folder}/kustomization.yaml`)
    for (const { key } of secret?.items ?? []) expect(setUp).toContain(`--from-file=${key}`)
    expect(setUp).toContain(`secret generic ${secret?.secretName} --namespace ${kustomization.namespace}`)
    const contents = { ...Object.fromEntries(keys.map((key) => [key, KEY])), database_url: "postgres://a:b@c:5432/d" }
    const { NODE_ENV: _, PATH: __, ...image } = imageEnvironment()
    for (const { name, args, env, envFrom = [], volumeMounts } of containers) {
      for (const volume of volumeMounts) expect(pod.volumes.map((each) => each.name)).toContain(volume.name)
      const mounted = volumeMounts.find((volume) => volume.name === "secrets")?.mountPath ?? "none"
      for (const { value } of env) expect(keys, name).toContain(value.slice(`${mounted}/`.length))
      for (const { configMapRef } of envFrom) expect(configMapRef.name).toBe(settings.metadata.name)
      const own = Object.fromEntries(env.map((variable) => [variable.name, variable.value]))
      const given = { ...image, ...(envFrom.length > 0 ? settings.data : {}), ...own }
      const problems = await problemsOf(given, mounted, contents)
      // The migration needs only the database.
      expect(problems, name).toEqual(
        args[0] === "migrate" ? [expect.stringContaining("SALLYPORT_SECRET is required")] : []
      )
    }
  })

  test("use probe ports and paths that exist in the service", () => {
    const [main] = pod.containers
    const ports = main?.ports ?? []
    expect(ports.map(({ containerPort }) => String(containerPort))).toEqual([
      imageEnvironment().PORT,
      settings.data.SALLYPORT_OPS_PORT
    ])
    const health = read("src/http/operations/Health.ts")
    for (const probe of [main?.startupProbe, main?.readinessProbe, main?.livenessProbe]) {
      expect(ports.map(({ name }) => name)).toContain(probe?.httpGet.port)
      expect(health).toContain(`"${probe?.httpGet.path}"`)
    }
    expect(main?.readinessProbe?.httpGet.path).toBe("/readyz")
    expect(main?.livenessProbe?.httpGet.path).toBe("/healthz")
    const names = new Set(ports.map(({ name }) => name))
    for (const file of ["service.yaml", "network-policy.yaml", "pod-monitor.yaml"]) {
      const [document] = readDocuments(`${folder}/${file}`)
      const asked = [...valuesOf(document, "targetPort"), ...valuesOf(document, "port")].filter(
        (port) => typeof port === "string"
      )
      expect(asked.length, file).toBeGreaterThan(0)
      for (const port of asked) expect(names, file).toContain(port)
    }
    expect(valuesOf(readDocuments(`${folder}/pod-monitor.yaml`)[0], "path")).toEqual(["/metrics"])
  })

  test("select the pods of the deployment", () => {
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    for (const { labelSelector } of pod.topologySpreadConstraints) expect(labelSelector.matchLabels).toEqual(labels)
    const selectors = {
      "disruption-budget.yaml": "matchLabels",
      "pod-monitor.yaml": "matchLabels",
      "service.yaml": "selector"
    }
    for (const [file, member] of Object.entries(selectors)) {
      expect(valuesOf(readDocuments(`${folder}/${file}`)[0], member), file).toEqual([labels])
    }
    expect(valuesOf(readDocuments(`${folder}/network-policy.yaml`)[0], "podSelector")).toEqual([
      { matchLabels: labels }
    ])
    expect(valuesOf(readDocuments(`${folder}/autoscaler.yaml`)[0], "scaleTargetRef")).toEqual([
      { apiVersion: "apps/v1", kind: "Deployment", name: deployment.metadata.name }
    ])
  })

  test("SEC-229: meet the restricted standard, with read-only containers", () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: USER,
      seccompProfile: { type: "RuntimeDefault" }
    })
    for (const { name, securityContext } of containers) {
      expect(securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] }
      })
    }
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30)
  })
})
