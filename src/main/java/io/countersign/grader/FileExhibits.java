package io.countersign.grader;

import io.countersign.artefact.ChangedFile;
import io.countersign.grader.Bundle.Exhibit;
import io.countersign.grader.GradingRow.NotSeen;
import io.countersign.scrub.Clean;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Turns files into exhibits until the budget is used. */
final class FileExhibits {
    /**
     * Read beyond what is shown: a secret that a cut runs through has to be known whole to be
     * recognised.
     */
    private static final int BEYOND = 1 << 15;

    /** A smaller piece of a file says nothing. */
    private static final int LEAST_PIECE = 256;

    private static final int HEADER = 200;

    /** Files that nobody reads as text. Anything else is shown, whatever its bytes pretend. */
    private static final Set<String> BINARY =
            Set.of(
                    "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "pdf", "woff", "woff2",
                    "ttf", "otf", "eot", "zip", "gz", "zst", "jar", "class", "mp3", "mp4", "webm",
                    "wasm");

    private final FrozenFiles files;
    private final List<NotSeen> cuts;
    private final List<NotSeen> hints;
    private final Set<String> taken = new HashSet<>();
    private long left;

    FileExhibits(FrozenFiles files, long budget, List<NotSeen> cuts, List<NotSeen> hints) {
        this.files = files;
        this.left = budget;
        this.cuts = cuts;
        this.hints = hints;
    }

    /** A file to show, before it is read. */
    private record Candidate(String path, String status, FrozenFiles.@Nullable Entry entry) {
        long size() {
            return entry == null ? 0 : entry.size();
        }

        int header() {
            return HEADER + ShownText.bytes(path);
        }
    }

    /** The paths that have an exhibit, or were too many for one. */
    Set<String> taken() {
        return taken;
    }

    List<Exhibit> changed(List<ChangedFile> changed) throws IOException {
        List<Candidate> candidates = new ArrayList<>();
        for (ChangedFile file : changed) {
            String from = file.from() == null ? "" : " from " + Clean.line(file.from(), 512);
            Optional<FrozenFiles.Entry> entry = files.find(file.path());
            candidates.add(
                    new Candidate(file.path(), file.status().wire() + from, entry.orElse(null)));
        }
        return show(candidates);
    }

    List<Exhibit> others(List<FrozenFiles.Entry> entries, String status) throws IOException {
        return show(
                entries.stream().map(entry -> new Candidate(entry.path(), status, entry)).toList());
    }

    private List<Exhibit> show(List<Candidate> candidates) throws IOException {
        List<Candidate> named = new ArrayList<>();
        for (Candidate candidate : candidates) {
            taken.add(candidate.path());
            if (candidate.header() > left) {
                cuts.add(new NotSeen(shown(candidate.path()), "left out", candidate.size()));
            } else {
                left -= candidate.header();
                named.add(candidate);
            }
        }
        long cap =
                Math.min(
                        Shares.cap(named.stream().map(Candidate::size).toList(), left),
                        Integer.MAX_VALUE / 2);
        List<Exhibit> exhibits = new ArrayList<>();
        for (Candidate candidate : named) exhibits.add(exhibit(candidate, cap));
        return exhibits;
    }

    private Exhibit exhibit(Candidate candidate, long cap) throws IOException {
        String path = shown(candidate.path());
        FrozenFiles.Entry entry = candidate.entry();
        if (entry == null) {
            String gone = candidate.status().equals("deleted") ? "" : ", does not exist";
            return new Exhibit(path, candidate.status() + gone, "", 0);
        }
        String what =
                candidate.status()
                        + (entry.link() ? ", a symbolic link to" : ", " + entry.size() + " bytes");
        byte[] bytes;
        try {
            bytes = files.read(candidate.path(), (int) Math.min(entry.size(), cap + BEYOND));
        } catch (FrozenFiles.NoLongerFrozen e) {
            cuts.add(new NotSeen(path, "rewritten since it was frozen", entry.size()));
            return new Exhibit(path, what + ", rewritten since", "", entry.size());
        }
        if (isBinary(candidate.path(), bytes)) {
            hints.add(new NotSeen(path, "binary", entry.size()));
            return new Exhibit(path, what + ", binary", "", entry.size());
        }
        return text(path, what, entry.size(), bytes, cap);
    }

    private Exhibit text(String path, String what, long size, byte[] bytes, long cap) {
        String text = ShownText.of(bytes);
        // The far end of a part may hold the beginning of a secret that nothing recognises yet.
        if (bytes.length < size) {
            text = ShownText.cut(text, Math.max(ShownText.bytes(text) - BEYOND, 0));
        }
        long room = Math.min(Math.min(cap, left), Integer.MAX_VALUE);
        boolean fits = bytes.length == size && ShownText.bytes(text) <= room;
        String kept = fits ? text : room < LEAST_PIECE ? "" : ShownText.cut(text, (int) room);
        left -= ShownText.bytes(kept);
        long missing = fits ? 0 : Math.max(size - ShownText.bytes(kept), 1);
        if (missing > 0) cuts.add(new NotSeen(path, "cut", missing));
        return new Exhibit(path, what, kept, missing);
    }

    private static boolean isBinary(String path, byte[] bytes) {
        String extension = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        if (!BINARY.contains(extension)) return false;
        for (byte b : bytes) {
            if (b == 0) return true;
        }
        return false;
    }

    private static String shown(String path) {
        return Clean.line(path, BundleCollector.MAX_LINE);
    }
}
