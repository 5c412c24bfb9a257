# Countersign's image. Both base images are arguments, so that it builds where no registry is reachable:
#   docker build --build-arg BUILD_IMAGE=... --build-arg RUNTIME_IMAGE=... --build-arg JAR=target/countersign-0.1.0.jar .
ARG BUILD_IMAGE=eclipse-temurin:25-jdk
ARG RUNTIME_IMAGE=eclipse-temurin:25-jdk

FROM ${BUILD_IMAGE} AS jar
ARG JAR=""
WORKDIR /build
COPY . .
# With JAR, that one is taken as it is; else the sources are built here.
RUN if [ -n "$JAR" ]; then cp "$JAR" /app.jar; \
    else ./mvnw -B -q -DskipTests package && cp target/countersign-*.jar /app.jar; fi

FROM ${RUNTIME_IMAGE} AS base
# bubblewrap isolates the checks; it and util-linux (setpriv, prlimit) may already be in the base.
RUN { command -v bwrap && command -v setpriv && command -v xz; } > /dev/null 2>&1 \
    || { apt-get update -qq \
         && apt-get install -y -qq --no-install-recommends bubblewrap util-linux xz-utils git \
         && rm -rf /var/lib/apt/lists/*; }
RUN grep -q '^countersign:' /etc/passwd \
    || { echo 'countersign:x:10001:10001::/app:/bin/sh' >> /etc/passwd; \
         echo 'countersign:x:10001:' >> /etc/group; }
# One set of flags for training and running: the cache is only valid for the flags that made it.
ENV JAVA_FLAGS="-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:MaxRAMPercentage=60 -Xss512k --enable-native-access=ALL-UNNAMED"

FROM base AS layers
WORKDIR /extracted
COPY --from=jar /app.jar /app.jar
# Libraries and application apart, so that a new version replaces a small layer only. The embedded
# PostgreSQL is for local mode and stays out.
RUN java -Djarmode=tools -jar /app.jar extract --destination /extracted \
    && mkdir /postgres && mv lib/embedded-postgres-binaries-*.jar /postgres/ \
    && mv app.jar countersign.jar

FROM base AS trained
COPY --from=layers /postgres /postgres
COPY --from=layers --chown=10001:10001 /extracted/lib /app/lib
COPY --from=layers --chown=10001:10001 /extracted/countersign.jar /app/countersign.jar
COPY docker/train /train
RUN chown 10001:10001 /app
USER 10001
WORKDIR /app
RUN sh /train

FROM base
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=trained /app/lib /app/lib
COPY --from=trained /app/countersign.jar /app/countersign.jar
COPY --from=trained /app/countersign.aot /app/countersign.aot
COPY docker/health /usr/local/bin/countersign-health
RUN chmod 755 /usr/local/bin/countersign-health && mkdir -p /work && chown 10001:10001 /work
USER 10001
WORKDIR /work
# Workspaces of running verifications; mount an emptyDir or tmpfs here, all else is read-only.
VOLUME ["/work", "/tmp"]
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["countersign-health"]
ENTRYPOINT ["sh", "-c", "exec java $JAVA_FLAGS -XX:AOTCache=/app/countersign.aot $JAVA_OPTS -jar /app/countersign.jar \"$@\"", "countersign"]
