# syntax=docker/dockerfile:1
# Installs the npm package of the release. Uses the image's own Node, which has the same major version as the package
# `node` in package.json.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack && mkdir /app && tar --extract --gzip --strip-components=1 --directory=/app --file techfolio-*.tgz
# Install the versions that the tests ran with. npm prefers npm-shrinkwrap.json, which has no development packages.
RUN cp package-lock.json .npmrc /app && cd /app && rm npm-shrinkwrap.json && npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
# The image's account `node` owns only the data, so it cannot change the program that it runs. Platforms such as OpenShift
# run the image as another account, which is always in the group root.
# initdb needs libnss-wrapper there (server/postgres/embedded/cluster.ts).
RUN apt-get update && apt-get install --yes --no-install-recommends libnss-wrapper && rm -rf /var/lib/apt/lists/*
RUN install --directory --owner=node --group=root --mode=0770 /data
COPY --from=build /app ./
USER node
VOLUME /data
EXPOSE 3000
# This check needs neither a shell nor curl.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Runs Node without npm, so that signals reach the server. To run another program: docker run IMAGE dist/server/cli/doctor.js
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "--heap-growing-percent=50"]
CMD ["dist/server/main.js"]
