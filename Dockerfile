# Countersign's image. Both base images are arguments, so that it builds where no registry is reachable:
#   docker build --build-arg BUILD_IMAGE=... --build-arg RUNTIME_IMAGE=... --build-arg JAR=target/countersign-0.1.0.jar .
# Works with BuildKit and with the classic builder: no mounts, no here-documents.
ARG BUILD_IMAGE=eclipse-temurin:25-jdk
ARG RUNTIME_IMAGE=eclipse-temurin:25-jdk

FROM ${BUILD_IMAGE} AS jar
ARG JAR=""
WORKDIR /build
COPY . .
# With JAR, that one is taken as it is; else the sources are built here, whatever jar lay in target.
RUN if [ -n "$JAR" ]; then cp "$JAR" /app.jar; \
    else rm -rf target && ./mvnw -B -q -Dmaven.test.skip=true -Dexec.skip=true package && cp target/countersign-*.jar /app.jar; fi

FROM ${RUNTIME_IMAGE} AS base
# bubblewrap isolates the checks; it and what else the checks call may already be in the base.
RUN { command -v bwrap && command -v setpriv && command -v xz && command -v git; } > /dev/null 2>&1 \
    || { apt-get update -qq \
         && apt-get install -y -qq --no-install-recommends bubblewrap util-linux xz-utils git \
         && rm -rf /var/lib/apt/lists/*; }
RUN grep -q '^countersign:' /etc/passwd \
    || { echo 'countersign:x:10001:10001::/app:/bin/sh' >> /etc/passwd; \
         echo 'countersign:x:10001:' >> /etc/group; }
# One set of flags for training and running: the cache is only valid for the flags that made it.
# Short start and little memory before peak speed, which a service that waits for PostgreSQL and for
# processes of others hardly needs: JAVA_OPTS=-XX:TieredStopAtLevel=4 has it otherwise. Without a heap
# nothing can be relied on any more: the process ends, and its work is taken over.
ENV JAVA_FLAGS="-XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1 -Xms96m -XX:NewSize=48m -XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError -Xss512k -Djdk.util.jar.version=23 --enable-native-access=ALL-UNNAMED"

FROM base AS layers
WORKDIR /extracted
COPY --from=jar /app.jar /app.jar
COPY docker/Index.java /Index.java
# Libraries and application apart, so that a new version replaces a small layer only. The embedded
# PostgreSQL is for local mode and stays out. What Spring would find by reading every class at each
# start is written down. The cache is valid for these files at these times only, so they get one
# that no copying can round.
RUN java -Djarmode=tools -jar /app.jar extract --destination /extracted \
    && mkdir /postgres && mv lib/embedded-postgres-binaries-*.jar /postgres/ \
    && mv app.jar countersign.jar \
    && java -cp countersign.jar /Index.java io.countersign META-INF/spring.components \
    && jar --update --file countersign.jar META-INF/spring.components \
    && rm -r META-INF \
    && find . -exec touch -d 2000-01-01T00:00:00Z {} +

FROM base AS trained
COPY --from=layers /postgres /postgres
COPY --from=layers /extracted/lib /app/lib
COPY --from=layers /extracted/countersign.jar /app/countersign.jar
COPY docker/train docker/health /
RUN chown 10001:10001 /app
USER 10001:10001
WORKDIR /app
RUN bash /train

FROM base
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY docker/health /usr/local/bin/countersign-health
COPY docker/start /usr/local/bin/countersign
RUN chmod 755 /usr/local/bin/countersign-health /usr/local/bin/countersign \
    && mkdir -p /work && chown 10001:10001 /work && chmod 700 /work
COPY --from=layers /extracted/lib /app/lib
COPY --from=layers /extracted/countersign.jar /app/countersign.jar
COPY --from=trained --chown=0:0 /app/countersign.aot /app/countersign.aot
USER 10001:10001
# A cache that does not fit is passed over in silence, unless it is demanded: a program of a library
# shows that it fits the files of this image.
RUN java $JAVA_FLAGS -XX:AOTCache=/app/countersign.aot -XX:AOTMode=on -Xlog:class+load \
        -cp /app/countersign.jar org.postgresql.util.PGJDBCMain \
    | grep -q 'org.postgresql.Driver source: shared objects file'
WORKDIR /work
# Workspaces of running verifications; mount an emptyDir or tmpfs here, all else is read-only.
VOLUME ["/work", "/tmp"]
EXPOSE 8080
ENV AOT_FLAGS="-XX:AOTCache=/app/countersign.aot"
HEALTHCHECK --interval=5s --timeout=10s --start-period=180s --retries=3 CMD ["countersign-health"]
ENTRYPOINT ["countersign"]
