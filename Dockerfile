# syntax=docker/dockerfile:1
# Uses the image's own Node, which has the same major version as the package `node` in package.json.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN NODE_ENV=production npx react-router build
# Remove packages that only builds and tests need. npm keeps TypeScript, an optional peer dependency of another package.
RUN npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/typescript node_modules/@typescript \
 && find app common server -name '*.test.ts*' -delete

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The image's account `node` owns only the data, so it cannot change the program that it runs.
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=build /app/app ./app
COPY --from=build /app/common ./common
COPY --from=build /app/server ./server
COPY --from=build /app/supabase ./supabase
USER node
VOLUME /data
EXPOSE 3000
# This check needs neither a shell nor curl.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Runs Node without npm, so that signals reach the server. To run another program: docker run IMAGE server/cli/doctor.ts
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=80"]
CMD ["server/main.ts"]
