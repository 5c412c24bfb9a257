package io.countersign.receipt;

import io.countersign.artefact.WorkspacePath;
import io.countersign.gate.Assurance;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;
import io.countersign.receipt.ReceiptRow.Consumption;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why a receipt does not meet a demand, with the facts that explain it. The conditions are those of
 * {@link ReceiptStore#consume}; the first that applies is named. Pure.
 */
final class Refusals {
    /** Difference between clocks that is forgiven. */
    static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(30);

    /** The exit code of the gate for a receipt that is not valid. */
    static final int EXIT_CODE = 6;

    private static final int NAMED_PATHS = 100;

    private Refusals() {}

    /** The first reason, or empty when the receipt meets the demand. */
    static Optional<ProblemException> first(ReceiptRow row, Demand demand, Instant now) {
        ProblemException refusal = refusal(row, demand, now);
        return Optional.ofNullable(refusal)
                .map(problem -> problem.with("exitCode", EXIT_CODE).with("receiptId", row.id()));
    }

    private static @Nullable ProblemException refusal(ReceiptRow row, Demand demand, Instant now) {
        Consumption consumed = row.consumed();
        if (consumed != null) {
            return replayed(consumed);
        }
        if (!row.expiresAt().isAfter(now)) {
            return problem(
                            ProblemCode.RECEIPT_STALE,
                            "the receipt was valid until " + row.expiresAt())
                    .with("issuedAt", row.issuedAt())
                    .with("expiresAt", row.expiresAt());
        }
        if (row.issuedAt().isAfter(now.plus(CLOCK_DIFFERENCE))) {
            return problem(
                            ProblemCode.RECEIPT_NOT_YET_VALID,
                            "the receipt is valid from " + row.issuedAt())
                    .with("issuedAt", row.issuedAt());
        }
        ProblemException mismatch = mismatch(row, demand);
        return mismatch == null ? tooLow(row, demand) : mismatch;
    }

    private static ProblemException replayed(Consumption consumed) {
        ProblemException replayed =
                problem(
                                ProblemCode.RECEIPT_REPLAYED,
                                "the receipt was consumed by "
                                        + consumed.by()
                                        + " at "
                                        + consumed.at())
                        .with("consumedBy", consumed.by())
                        .with("consumedAt", consumed.at());
        return consumed.purpose() == null
                ? replayed
                : replayed.with("consumedFor", consumed.purpose());
    }

    private static @Nullable ProblemException mismatch(ReceiptRow row, Demand demand) {
        if (!row.changeSet().equals(demand.changeSet())) {
            return changeSetMismatch(row, demand);
        }
        if (demand.treeSha256() != null && !demand.treeSha256().equals(row.tree())) {
            return expected(ProblemCode.TREE_MISMATCH, "tree", row.tree(), demand.treeSha256());
        }
        Sha256 dod = demand.requiredDodSha256();
        if (dod != null && !dod.equals(row.dod())) {
            return expected(ProblemCode.DOD_MISMATCH, "Definition of Done", row.dod(), dod);
        }
        Instant newest = demand.newestMtime();
        if (newest != null && newest.isAfter(row.issuedAt())) {
            return problem(
                            ProblemCode.RECEIPT_PREDATES_CHANGE,
                            "a file changed at " + newest + ", after the receipt was issued")
                    .with("issuedAt", row.issuedAt())
                    .with("newestMtime", newest);
        }
        return null;
    }

    private static ProblemException expected(
            ProblemCode code, String what, @Nullable Sha256 ofReceipt, Sha256 demanded) {
        String own = ofReceipt == null ? "none" : ofReceipt.hex();
        return problem(code, "the receipt's " + what + " is " + own)
                .with("receipt", own)
                .with("demanded", demanded.hex());
    }

    private static ProblemException changeSetMismatch(ReceiptRow row, Demand demand) {
        ProblemException problem =
                problem(
                                ProblemCode.CHANGE_SET_MISMATCH,
                                "the receipt is for change-set " + row.changeSet())
                        .with("receipt", row.changeSet().hex())
                        .with("demanded", demand.changeSet().hex());
        if (demand.files() == null) {
            return problem;
        }
        List<Map<String, String>> differing = differing(row, demand.files());
        ProblemException named =
                problem.with(
                        "paths", differing.subList(0, Math.min(differing.size(), NAMED_PATHS)));
        return differing.size() > NAMED_PATHS ? named.with("pathsInAll", differing.size()) : named;
    }

    private static List<Map<String, String>> differing(
            ReceiptRow row, NavigableMap<WorkspacePath, Optional<Sha256>> sent) {
        JsonNode own = JsonMapper.shared().readTree(row.files());
        TreeMap<String, String> theirs = new TreeMap<>();
        sent.forEach((path, content) -> theirs.put(path.value(), shown(content)));
        List<Map<String, String>> differing = new ArrayList<>();
        for (Map.Entry<String, JsonNode> file : own.properties()) {
            String path = file.getKey();
            String verified = file.getValue().stringValue("missing");
            String now = theirs.remove(path);
            if (now == null) {
                differing.add(Map.of("path", path, "why", "not in the change-set sent"));
            } else if (!now.equals(verified)) {
                differing.add(Map.of("path", path, "why", "content differs"));
            }
        }
        theirs.keySet()
                .forEach(path -> differing.add(Map.of("path", path, "why", "was not verified")));
        return differing;
    }

    private static String shown(Optional<Sha256> content) {
        return content.map(Sha256::hex).orElse("missing");
    }

    private static @Nullable ProblemException tooLow(ReceiptRow row, Demand demand) {
        Assurance demanded = row.minAssurance();
        if (demand.minAssurance() != null && demand.minAssurance().compareTo(demanded) > 0) {
            demanded = demand.minAssurance();
        }
        if (row.assurance().compareTo(demanded) >= 0) {
            return null;
        }
        return problem(
                        ProblemCode.ASSURANCE_TOO_LOW,
                        "the receipt's assurance is "
                                + row.assurance().wire()
                                + ", at least "
                                + demanded.wire()
                                + " is demanded")
                .with("assurance", row.assurance().wire())
                .with("demanded", demanded.wire());
    }

    private static ProblemException problem(ProblemCode code, String detail) {
        return new ProblemException(code, detail);
    }
}
