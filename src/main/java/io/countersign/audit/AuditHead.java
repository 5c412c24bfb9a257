package io.countersign.audit;

import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;

/**
 * The seal on one batch of a project's events.
 *
 * @param serial its place among the heads of all projects, from 1
 * @param number its place in the project's chain, from 1
 * @param events how many rows it seals
 * @param rows digest over the rows' digests, in order of their ids
 * @param previous the project's head before, {@link #GENESIS} for the first
 * @param previousSerial the head of any project before, {@link #GENESIS} for the first
 * @param signature null when no signer was there
 */
record AuditHead(
        long serial,
        String project,
        long number,
        int events,
        Sha256 rows,
        Sha256 previous,
        Sha256 previousSerial,
        Instant sealedAt,
        HeadSigner.@Nullable Signature signature) {
    /** Stands for the head before the first. */
    static final Sha256 GENESIS = new Sha256("0".repeat(64));

    /** What is signed: the canonical JSON of all members but the signature. */
    byte[] statement() {
        ObjectNode head = JsonNodeFactory.instance.objectNode();
        head.put("schema", "countersign.audit-head.v1");
        head.put("serial", serial);
        head.put("project", project);
        head.put("number", number);
        head.put("events", events);
        head.put("rowsSha256", rows.hex());
        head.put("previousSha256", previous.hex());
        head.put("previousSerialSha256", previousSerial.hex());
        head.put("sealedAt", sealedAt.toString());
        return CanonicalJson.bytes(head);
    }

    Sha256 digest() {
        return Sha256.of(statement());
    }

    AuditHead signedBy(HeadSigner signer) {
        return new AuditHead(
                serial,
                project,
                number,
                events,
                rows,
                previous,
                previousSerial,
                sealedAt,
                signer.sign(statement()));
    }

    static Sha256 rowsDigest(List<Sha256> rows) {
        MessageDigest digest = Sha256.newDigest();
        rows.forEach(row -> digest.update(row.bytes()));
        return Sha256.of(digest);
    }
}
