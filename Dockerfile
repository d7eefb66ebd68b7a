# Builds the bundle, then keeps only what runs it.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY build.ts ./
COPY src src
RUN node build.ts

FROM node:24-bookworm-slim
WORKDIR /sallyport
ENV NODE_ENV=production PORT=3000 HOST=0.0.0.0 SALLYPORT_DATA_DIR=/data
COPY --from=build /build/node_modules/@node-rs node_modules/@node-rs
COPY --from=build /build/node_modules/@electric-sql node_modules/@electric-sql
COPY --from=build /build/dist dist
COPY package.json ./
COPY sql sql
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/sallyport.js"]
