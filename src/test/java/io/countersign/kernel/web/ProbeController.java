package io.countersign.kernel.web;

import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A controller as the modules write them, to test the door with. */
@TestComponent
@RestController
@RequestMapping("/probe")
class ProbeController {
    final AtomicInteger effects = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    private final IdempotencyKeys keys;
    private final JdbcClient jdbc;

    ProbeController(IdempotencyKeys keys, JdbcClient jdbc) {
        this.keys = keys;
        this.jdbc = jdbc;
    }

    enum Colour {
        RED,
        GREEN
    }

    record Inner(int count) {
        Inner {
            if (count < 0) {
                throw new IllegalArgumentException("must not be negative");
            }
        }
    }

    record Probe(
            String name,
            int number,
            boolean flag,
            @Nullable Colour colour,
            @Nullable Inner inner,
            @Nullable List<Inner> list,
            @Nullable JsonNode open,
            @Nullable Instant at,
            @Nullable Map<String, String> map) {
        Probe {
            java.util.Objects.requireNonNull(name);
            if (name.equals("bad")) {
                throw ProblemException.invalid("/name", "is a bad one");
            }
        }
    }

    @PostMapping
    @RolesAllowed("requester")
    Probe echo(@RequestBody Probe probe) {
        return probe;
    }

    @PostMapping(path = "/upload", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    @RolesAllowed("requester")
    ResponseEntity<Map<String, Object>> upload(
            Caller caller,
            IdempotentRequest once,
            @RequestPart("request") Probe probe,
            @RequestPart("workspace") MultipartFile workspace,
            @RequestPart(name = "base", required = false) @Nullable MultipartFile base) {
        return keys.once(
                        once,
                        () ->
                                ResponseEntity.ok(
                                        Map.of(
                                                "size",
                                                workspace.getSize(),
                                                "effect",
                                                effects.incrementAndGet())))
                .toResponse();
    }

    @PostMapping("/effects")
    @RolesAllowed("requester")
    ResponseEntity<Map<String, Integer>> effect(
            Caller caller,
            IdempotentRequest once,
            @RequestParam(required = false) @Nullable String dry,
            @RequestBody(required = false) JsonNode body) {
        return keys.once(
                        once,
                        () -> {
                            int n = effects.incrementAndGet();
                            jdbc.sql("insert into probe_effect (n) values (:n)")
                                    .param("n", n)
                                    .update();
                            await();
                            if (body != null && body.has("fail")) {
                                throw new ProblemException(ProblemCode.CONFLICT, "as asked");
                            }
                            return ResponseEntity.status(201)
                                    .header("Location", "/probe/effects/" + n)
                                    .body(Map.of("effect", n));
                        })
                .toResponse();
    }

    private void await() {
        try {
            if (!gate.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody opened the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @GetMapping("/{id}")
    @AnyCaller
    String byId(
            Caller caller,
            @PathVariable UUID id,
            @RequestParam int limit,
            @RequestParam(required = false) @Nullable String q) {
        return caller.id();
    }

    @GetMapping("/who")
    @AnyCaller
    String who(Caller caller) {
        return caller.id();
    }

    @GetMapping("/silent")
    String silent() {
        return "nobody said who may read this";
    }

    @GetMapping("/broken")
    @AnyCaller
    String broken() {
        return jdbc.sql("select secret_column from no_such_table").query(String.class).single();
    }

    @GetMapping("/busy")
    @AnyCaller
    String busy() {
        throw new ProblemException(ProblemCode.QUEUE_FULL, "10,000 are waiting")
                .with("retryAfter", 7)
                .with("waiting", 10_000);
    }
}
