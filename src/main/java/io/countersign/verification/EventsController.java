package io.countersign.verification;

import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import java.io.IOException;
import java.time.Duration;

/**
 * Streams a verification's steps as server-sent events, from the store: any replica can serve any
 * stream, and {@code Last-Event-ID} resumes one.
 */
@RestController
@Tag(name = "Verifications")
class EventsController {
    private static final Logger log = LoggerFactory.getLogger(EventsController.class);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final Verifications verifications;
    private final VerificationEvents events;
    private final Watches watches;
    private final Closing closing;

    EventsController(
            Verifications verifications,
            VerificationEvents events,
            Watches watches,
            Closing closing) {
        this.verifications = verifications;
        this.events = events;
        this.watches = watches;
        this.closing = closing;
    }

    @GetMapping(
            path = "/v1/verifications/{id}/events",
            produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @RolesAllowed("reader")
    @Operation(summary = "Follow a verification step by step")
    SseEmitter stream(
            Caller caller,
            @PathVariable String id,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last) {
        VerificationId verification = VerificationId.parse(id);
        verifications.row(caller, verification);
        int after = sequence(last);
        SseEmitter emitter = new SseEmitter(0L);
        Thread.ofVirtual().name("events-" + id).start(() -> send(emitter, verification, after));
        return emitter;
    }

    private static int sequence(@Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isBlank()) return 0;
        try {
            return Math.max(0, Integer.parseInt(lastEventId.strip()));
        } catch (NumberFormatException e) {
            throw ProblemException.invalid(
                    "Last-Event-ID", "is the id of an event of this stream, a number");
        }
    }

    private void send(SseEmitter emitter, VerificationId id, int after) {
        try (Watches.Watch watch = watches.open(id)) {
            int sent = after;
            boolean ended = false;
            while (!ended && !closing.closing()) {
                for (VerificationEvent event : events.after(id, sent)) {
                    emitter.send(
                            SseEmitter.event()
                                    .id(Integer.toString(event.sequence()))
                                    .name(event.type().wire())
                                    .data(event.data(), MediaType.TEXT_PLAIN));
                    sent = event.sequence();
                    ended = event.type() == VerificationEvent.Type.VERDICT;
                }
                // A client that resumes after the verdict gets an empty stream that ends.
                ended =
                        ended
                                || (sent > 0
                                        && verifications.row(id).concluded()
                                        && lastOf(id) <= sent);
                if (!ended && !watch.await(KEEP_ALIVE)) {
                    emitter.send(SseEmitter.event().comment("waiting"));
                }
            }
            emitter.complete();
        } catch (IOException | IllegalStateException e) {
            log.debug("the reader of verification {} left", id);
        } catch (InterruptedException e) {
            emitter.complete();
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            emitter.completeWithError(e);
        }
    }

    private int lastOf(VerificationId id) {
        return events.lastSequence(id);
    }
}
