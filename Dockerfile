# Builds the bundle, then keeps only what runs it.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY build build
COPY src src
COPY docs/guides docs/guides
COPY docs/logs.md docs/logs.md
COPY .env.example ./
COPY sql sql
RUN node build/Bundle.ts && node build/Image.ts

FROM node:24-bookworm-slim
WORKDIR /sallyport
ENV NODE_ENV=production PORT=3000 HOST=0.0.0.0 SALLYPORT_DATA_DIR=/data
COPY --from=build /build/node_modules/@node-rs node_modules/@node-rs
COPY --from=build /build/node_modules/@electric-sql node_modules/@electric-sql
COPY --from=build /build/dist dist
COPY package.json ./
COPY sql sql
RUN mkdir /data dist/compiled && chown node:node /data dist/compiled
USER node
# Keeps the compiled bundle in the image, so that no container compiles it again. The key encrypts nothing that is kept.
RUN DATABASE_URL=memory:// SALLYPORT_SECRET=for-this-line-of-the-build-and-nothing-else node dist/sallyport.js secrets
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/sallyport.js"]
