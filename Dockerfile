# The image contains only Node, the libraries that Node needs, and the service: no shell and no package manager.
# Tags name full versions. To pin an image, append its digest: node:24.21.0-bookworm@sha256:…
FROM node:24.21.0-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY build build
COPY src src
COPY docs/guides docs/guides
COPY docs/logs.md docs/metrics.md docs/
COPY .env.example ./
COPY sql sql
RUN node build/Bundle.ts && node build/Image.ts && node build/Container.ts /image

FROM scratch
LABEL org.opencontainers.image.title="Sallyport" \
  org.opencontainers.image.description="A multi-tenant identity service that runs alongside your app." \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.base.name="scratch"
COPY --from=build /image/root /
COPY --from=build --chown=65532:65532 /image/data /data
COPY --from=build --chown=65532:65532 /image/compiled /sallyport/dist/compiled
WORKDIR /sallyport
ENV PATH=/usr/bin NODE_ENV=production PORT=3000 HOST=0.0.0.0 SALLYPORT_DATA_DIR=/data
# For the health check, which requests on the main port can't delay. To make the port reachable from outside the container, set
# SALLYPORT_OPS_HOST=0.0.0.0.
ENV SALLYPORT_OPS_PORT=9090 SALLYPORT_OPS_HOST=127.0.0.1
USER 65532:65532
# Caches the compiled bundle in the image, so that containers needn't compile it again, and checks that the image runs. Only this
# step uses a database in memory.
ARG DATABASE_URL=memory://
RUN ["node", "dist/sallyport.js", "secrets"]
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "dist/sallyport.js", "health"]
ENTRYPOINT ["node", "dist/sallyport.js"]
CMD ["serve", "--json"]
